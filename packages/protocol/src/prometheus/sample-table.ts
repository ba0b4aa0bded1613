import type { Sample } from "./parse-text.ts";

/** The samples of a page by name. */
export class SampleTable {
  private readonly byName = new Map<string, Sample[]>();

  constructor(samples: readonly Sample[]) {
    for (const sample of samples) {
      const list = this.byName.get(sample.name);
      if (list === undefined) {
        this.byName.set(sample.name, [sample]);
      } else {
        list.push(sample);
      }
    }
  }

  get isEmpty(): boolean {
    return this.byName.size === 0;
  }

  /** Every series of one name; empty when the page has none. */
  all(name: string): readonly Sample[] {
    return this.byName.get(name) ?? [];
  }

  /** Every series of the first of these names the page has: newest spelling first, never two added up. */
  firstOf(...names: readonly string[]): readonly Sample[] {
    for (const name of names) {
      const samples = this.all(name);
      if (samples.length > 0) {
        return samples;
      }
    }
    return [];
  }
}
