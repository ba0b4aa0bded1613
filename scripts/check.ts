/**
 * `npm run check`: everything that reads the code without running it. Steps run one after the other, all of
 * them even after a failure, so that one run shows everything there is to fix.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
/** dependency-cruiser passes silently when it reads nothing: fewer modules than this is a failure. */
const MIN_MODULES = 120;
const MAX_LINES = 400;

interface Step {
  readonly name: string;
  readonly run: () => { readonly ok: boolean; readonly output: string };
}

function command(...words: string[]) {
  const [program = "", ...args] = words;
  const result = spawnSync(path.join(root, "node_modules/.bin", program), args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 << 20,
    env: {
      ...process.env,
      NO_COLOR: "1",
      FORCE_COLOR: "0",
      TURBO_TELEMETRY_DISABLED: "1",
      DO_NOT_TRACK: "1",
      NEXT_TELEMETRY_DISABLED: "1",
    },
  });
  const output = `${result.stdout ?? ""}${result.stderr ?? ""}${result.error ? String(result.error) : ""}`;
  return { ok: result.status === 0, output };
}

function trackedFiles(...patterns: string[]): string[] {
  const result = spawnSync(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...patterns],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  return result.stdout.split("\n").filter((file) => file !== "" && existsFile(path.join(root, file)));
}

function existsFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

function boundaries() {
  const result = command(
    "depcruise",
    "--config",
    ".dependency-cruiser.cjs",
    "--output-type",
    "err",
    "packages",
    "apps",
    "db",
  );
  const modules = Number(/\((\d+) modules/.exec(result.output)?.[1] ?? 0);
  if (modules < MIN_MODULES) {
    return {
      ok: false,
      output: `${result.output}\nonly ${modules} modules were read, expected at least ${MIN_MODULES}`,
    };
  }
  return result;
}

/** Paths cited in Markdown must exist, so that the documents stay true when files move. */
function documentReferences() {
  const missing: string[] = [];
  for (const document of trackedFiles("*.md")) {
    const text = readFileSync(path.join(root, document), "utf8");
    for (const [, target = ""] of text.matchAll(
      /`((?:apps|packages|db|e2e|bench|docs|scripts)\/[\w./()[\]-]+)`/g,
    )) {
      const found = [root, path.dirname(path.join(root, document))].some(
        (base) => statSync(path.join(base, target), { throwIfNoEntry: false }) !== undefined,
      );
      if (!found) missing.push(`${document}: \`${target}\` does not exist`);
    }
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)) {
      const file = path.resolve(root, path.dirname(document), target);
      if (statSync(file, { throwIfNoEntry: false }) === undefined)
        missing.push(`${document}: link to ${target} is broken`);
    }
  }
  return { ok: missing.length === 0, output: missing.join("\n") };
}

/** Names that tell nothing and files that hold too much. */
function houseRules() {
  const problems: string[] = [];
  for (const file of trackedFiles("*.ts", "*.tsx")) {
    if (/(^|\/)(utils?|helpers?|common|shared|misc)(\/|\.tsx?$)/.test(file))
      problems.push(`${file}: the name tells nothing`);
    const lines = readFileSync(path.join(root, file), "utf8").split("\n").length;
    if (lines > MAX_LINES && !/\.(test|spec|bench)\.tsx?$/.test(file)) {
      problems.push(`${file}: ${lines} lines, look for the seam (at most ${MAX_LINES})`);
    }
  }
  const lock = readFileSync(path.join(root, "package-lock.json"), "utf8");
  if (/"resolved": "https?:/.test(lock))
    problems.push("package-lock.json: names a registry host (see .npmrc)");
  for (const workspace of ["packages/protocol", "packages/scheduler"]) {
    const config = readFileSync(path.join(root, workspace, "tsconfig.json"), "utf8");
    if (/"types"|"lib"/.test(config))
      problems.push(`${workspace}/tsconfig.json: a pure package inherits types: [] and an ES-only lib`);
  }
  for (const folder of readdirSync(path.join(root, "packages"))) {
    if (!existsFile(path.join(root, "packages", folder, "turbo.json")))
      problems.push(`packages/${folder}: no turbo.json with a tag`);
  }
  return { ok: problems.length === 0, output: problems.join("\n") };
}

const steps: readonly Step[] = [
  {
    name: "format and lint (biome)",
    run: () => command("biome", "ci", "--colors=off", "--error-on-warnings", "."),
  },
  { name: "types (tsc, next)", run: () => command("turbo", "run", "typecheck", "--output-logs=errors-only") },
  { name: "boundaries (dependency-cruiser)", run: boundaries },
  { name: "boundaries (turbo tags)", run: () => command("turbo", "boundaries") },
  { name: "dead code (knip)", run: () => command("knip", "--no-progress") },
  { name: "document references", run: documentReferences },
  { name: "house rules", run: houseRules },
];

let failed = 0;
for (const step of steps) {
  const startedMs = performance.now();
  const { ok, output } = step.run();
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${ok ? "ok  " : "FAIL"} ${step.name} (${seconds} s)`);
  if (!ok) {
    failed += 1;
    console.log(output.trim().replaceAll(/^/gm, "     "));
  }
}
console.log(`${steps.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
