const RUN = 16;

/**
 * Indexes of `costs` in ascending order of cost; equal costs keep their order. A merge sort over typed arrays: several
 * times faster for a thousand costs than a sort of objects with a comparator.
 */
export function orderByCost(costs: Float64Array): Uint32Array {
  const { length } = costs;
  let order = new Uint32Array(length);
  for (let i = 0; i < length; i++) order[i] = i;
  for (let from = 0; from < length; from += RUN)
    insertionSort(order, costs, from, Math.min(length, from + RUN));
  let target = new Uint32Array(length);
  for (let width = RUN; width < length; width *= 2) {
    for (let from = 0; from < length; from += 2 * width) {
      merge(order, target, costs, from, Math.min(length, from + width), Math.min(length, from + 2 * width));
    }
    [order, target] = [target, order];
  }
  return order;
}

// All indexes below are within the arrays: the casts spare the hot loops a check each.

function insertionSort(order: Uint32Array, costs: Float64Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const index = order[i] as number;
    const cost = costs[index] as number;
    let at = i;
    while (at > from && (costs[order[at - 1] as number] as number) > cost) {
      order[at] = order[at - 1] as number;
      at--;
    }
    order[at] = index;
  }
}

function merge(
  source: Uint32Array,
  target: Uint32Array,
  costs: Float64Array,
  from: number,
  middle: number,
  to: number,
): void {
  let left = from;
  let right = middle;
  for (let at = from; at < to; at++) {
    const takesLeft =
      left < middle &&
      (right >= to ||
        (costs[source[left] as number] as number) <= (costs[source[right] as number] as number));
    target[at] = source[takesLeft ? left++ : right++] as number;
  }
}
