/** A Prometheus histogram kept as counts per bucket. */
export class PrometheusHistogram {
  readonly #edges: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  /** @param edges upper bounds, ascending, without +Inf */
  constructor(edges: readonly number[]) {
    this.#edges = edges;
    this.#counts = edges.map(() => 0);
  }

  observe(value: number): void {
    this.#sum += value;
    this.#count += 1;
    const index = this.#edges.findIndex((edge) => value <= edge);
    if (index >= 0) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
  }

  /** Exposition lines of the family, with HELP and TYPE. `labels` without braces. */
  lines(name: string, help: string, labels: string): string {
    let cumulative = 0;
    let text = `# HELP ${name} ${help}\n# TYPE ${name} histogram\n`;
    for (const [index, edge] of this.#edges.entries()) {
      cumulative += this.#counts[index] ?? 0;
      const le = Number.isInteger(edge) ? `${edge}.0` : String(edge);
      text += `${name}_bucket{${labels},le="${le}"} ${cumulative}.0\n`;
    }
    text += `${name}_bucket{${labels},le="+Inf"} ${this.#count}.0\n`;
    return `${text}${name}_count{${labels}} ${this.#count}.0\n${name}_sum{${labels}} ${this.#sum}\n`;
  }
}
