/** `npm run bench:quality`: strategies compared in virtual time. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { QUALITY_HELP, type QualityOptions, qualityOptions } from "./quality-options.ts";
import { qualityPlots, qualitySection, sectionName, withSection } from "./quality-report.ts";
import { KNEE_GOODPUT, type KneeResult, type QualityResult, QualityRun } from "./quality-run.ts";
import { type WorkloadSource, workloadSource } from "./workload-source.ts";

try {
  const options = qualityOptions(process.argv.slice(2));
  if (options === "help") process.stdout.write(QUALITY_HELP);
  else await bench(options);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function bench(options: QualityOptions): Promise<void> {
  const startedAt = performance.now();
  const say = (text: string): void => {
    process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${text}\n`);
  };
  const source = await workloadSource(options);
  const run = new QualityRun(source, options);
  const seeds = Array.from({ length: options.seeds }, (_, index) => index + 1);
  const knees: KneeResult[] = [];
  for (const { name } of options.strategies) {
    for (const seed of seeds) {
      const knee = run.knee(name, seed);
      if (knee !== null) knees.push(knee);
      say(`${name}, seed ${seed}: ${kneeText(knee, source)}`);
    }
  }
  const results = compareAtLoads(run, source, options, knees, seeds, say);
  const section = qualitySection({
    options,
    source,
    knees,
    results,
    hitCeiling: run.hitCeiling(source.firstLoad(options.replicas)),
    seconds: (performance.now() - startedAt) / 1000,
  });
  process.stdout.write(`${section}\n`);
  if (options.json !== null) {
    const { name, unit } = source;
    const document = { options, workload: { name, unit }, goodputAtKnee: KNEE_GOODPUT, knees, results };
    writeFileSync(options.json, `${JSON.stringify(document, null, 2)}\n`);
  }
  if (options.out !== null) writeReport(options.out, options, source, section, knees);
}

function kneeText(knee: KneeResult | null, source: WorkloadSource): string {
  if (knee === null) return "no load keeps the goodput";
  const load = source.unit === "sessions" ? ` at ${knee.kneeLoad.toFixed(0)} sessions` : "";
  return `knee ${knee.kneeRps.toFixed(2)} requests/s${load} (${knee.runs} runs)`;
}

/** Every strategy at the same loads: multiples of the best mean knee. */
function compareAtLoads(
  run: QualityRun,
  source: WorkloadSource,
  options: QualityOptions,
  knees: readonly KneeResult[],
  seeds: readonly number[],
  say: (text: string) => void,
): QualityResult[] {
  const means = options.strategies.map(({ name }) => {
    const own = knees.filter(({ strategy }) => strategy === name);
    return own.length === 0 ? 0 : own.reduce((sum, { kneeLoad }) => sum + kneeLoad, 0) / own.length;
  });
  const best = Math.max(...means);
  if (!(best > 0)) {
    say("no strategy has a knee: nothing to compare");
    return [];
  }
  const results: QualityResult[] = [];
  for (const share of options.loads) {
    const load = source.unit === "sessions" ? Math.max(1, Math.round(share * best)) : share * best;
    for (const { name } of options.strategies) {
      for (const seed of seeds) results.push(run.result(name, load, share, seed));
    }
    say(`compared at ${share} × the best knee`);
  }
  return results;
}

function writeReport(
  file: string,
  options: QualityOptions,
  source: WorkloadSource,
  section: string,
  knees: readonly KneeResult[],
): void {
  const name = sectionName(options, source);
  const folder = join(dirname(file), "quality");
  mkdirSync(folder, { recursive: true });
  const plots = qualityPlots(knees, source, options);
  writeFileSync(join(folder, `${name}.svg`), plots);
  const before = existsSync(file) ? readFileSync(file, "utf8") : "# Routing quality\n";
  const text = `${section}\n\n![Goodput over load](quality/${name}.svg)`;
  writeFileSync(file, withSection(before, name, text));
}
