import type { Rng } from "@evenkeel/scheduler/rng";

/** A standard normal number (Box-Muller). */
export function drawNormal(rng: Rng): number {
  return Math.sqrt(-2 * Math.log(1 - rng())) * Math.cos(2 * Math.PI * rng());
}

/** A log-normal number with the given median; `sigma` is the spread of its logarithm. */
export function drawLogNormal(rng: Rng, median: number, sigma: number): number {
  return median * Math.exp(sigma * drawNormal(rng));
}

export function drawExponential(rng: Rng, mean: number): number {
  return -mean * Math.log(1 - rng());
}

/** A Gamma number by Marsaglia and Tsang's method. */
function drawGamma(rng: Rng, shape: number, scale: number): number {
  if (shape < 1) return drawGamma(rng, shape + 1, scale) * (1 - rng()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(rng);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - rng()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v * scale;
  }
}

/** A gap with the given mean and coefficient of variation; 1 gives Poisson arrivals, more gives bursts. */
export function drawGap(rng: Rng, mean: number, variation: number): number {
  if (variation === 1) return drawExponential(rng, mean);
  const shape = 1 / variation ** 2;
  return drawGamma(rng, shape, mean / shape);
}

/** An index in [0, count) with probability proportional to 1 / (index + 1)^skew. */
export function zipfPicker(count: number, skew: number): (rng: Rng) => number {
  const cumulative: number[] = [];
  let total = 0;
  for (let i = 0; i < count; i += 1) {
    total += 1 / (i + 1) ** skew;
    cumulative.push(total);
  }
  return (rng) => {
    const at = rng() * total;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulative[middle] ?? total) > at) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
