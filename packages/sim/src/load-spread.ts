/**
 * How evenly load lies on replicas: samples are averaged per replica over a window, the coefficient of variation is
 * taken across replicas, and the mean over windows is reported.
 */
export class LoadSpread {
  readonly #samplesPerWindow: number;
  #sums: number[] = [];
  #samples = 0;
  #windows = 0;
  #total = 0;

  constructor(samplesPerWindow: number) {
    this.#samplesPerWindow = samplesPerWindow;
  }

  /** @param loads one number per replica, always in the same order */
  add(loads: readonly number[]): void {
    for (const [index, load] of loads.entries()) this.#sums[index] = (this.#sums[index] ?? 0) + load;
    this.#samples += 1;
    if (this.#samples >= this.#samplesPerWindow) this.#closeWindow();
  }

  /** Mean coefficient of variation, null before the first sample under load. An open window counts when it is all there is. */
  get cv(): number | null {
    if (this.#windows === 0 && this.#samples > 0) this.#closeWindow();
    return this.#windows === 0 ? null : this.#total / this.#windows;
  }

  #closeWindow(): void {
    const sums = this.#sums;
    const mean = sums.reduce((sum, value) => sum + value, 0) / Math.max(1, sums.length);
    if (mean > 0) {
      const variance = sums.reduce((sum, value) => sum + (value - mean) ** 2, 0) / sums.length;
      this.#total += Math.sqrt(variance) / mean;
      this.#windows += 1;
    }
    this.#sums = [];
    this.#samples = 0;
  }
}
