import { type FSWatcher, watch } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { type FleetReplica, parseFleetFile } from "@evenkeel/scheduler/fleet-file";
import type { DocumentProblem } from "@evenkeel/scheduler/schema-problems";
import { parseDocument } from "yaml";

/** The fleet file cannot be used; the message names the file, the field and the fix. */
export class FleetFileError extends Error {
  readonly code = "invalid_fleet_file";
  override readonly name = "FleetFileError";
}

/** Room for the most replicas a fleet file may name; a longer text would hold requests up while it is parsed. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Every replica may share its labels with others, and no text can multiply itself by aliases of aliases. */
const MAX_ALIASES = 20_000;

/** @throws FleetFileError */
function parseFleetText(
  { path, secret }: { path: string; secret: (name: string) => string | null },
  text: string,
): FleetReplica[] {
  const parsed = parseFleetFile(parseYaml(path, text));
  const problems = parsed.ok
    ? [...unusableUrls(parsed.replicas), ...missingSecrets(parsed.replicas, secret)]
    : parsed.problems;
  if (!parsed.ok || problems.length > 0) {
    throw new FleetFileError(`${path}: ${problems.map(describeProblem).join("; ")}`);
  }
  return parsed.replicas;
}

/** @throws FleetFileError */
function parseYaml(path: string, text: string): unknown {
  let problem: string;
  try {
    const document = parseDocument(text, { prettyErrors: true });
    const [syntaxError] = document.errors;
    if (syntaxError === undefined) return document.toJS({ maxAliasCount: MAX_ALIASES });
    problem = syntaxError.message;
  } catch (error) {
    // Unresolved and too many aliases, and nesting beyond the stack, are thrown.
    problem = error instanceof Error ? error.message : String(error);
  }
  throw new FleetFileError(`${path}: not valid YAML: ${problem.split("\n")[0]}`);
}

/** What the schema lets pass and this platform cannot use all the same. */
function unusableUrls(replicas: readonly FleetReplica[]) {
  return replicas.flatMap(({ url }, index) =>
    URL.canParse(url) ? [] : [{ path: ["replicas", index, "url"], message: "this is not a usable URL" }],
  );
}

function missingSecrets(replicas: readonly FleetReplica[], secret: (name: string) => string | null) {
  return replicas.flatMap(({ apiKeyEnv }, index) =>
    apiKeyEnv === undefined || secret(apiKeyEnv) !== null
      ? []
      : [{ path: ["replicas", index, "apiKeyEnv"], message: `the variable ${apiKeyEnv} is not set` }],
  );
}

/** `replicas[2].url: …` */
export function describeProblem(problem: Pick<DocumentProblem, "path" | "message">): string {
  const path = problem.path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text === "" ? part : `${text}.${part}`),
    "",
  );
  return path === "" ? problem.message : `${path}: ${problem.message}`;
}

export interface FleetFileWatch {
  close(): void;
}

/** Events of one save come in bursts. */
const SETTLE_MS = 50;

/**
 * Reads the fleet file now and again when it changes: by events of its folder, which survive renames and
 * mounted-volume switches, and by a poll, because events get lost. A content is reported once; a wrong one
 * changes nothing.
 * @throws FleetFileError when the first reading fails
 */
export async function watchFleetFile(options: {
  readonly path: string;
  readonly pollMs: number;
  readonly onFleet: (replicas: FleetReplica[]) => void;
  readonly onProblem: (error: FleetFileError) => void;
  readonly secret: (name: string) => string | null;
}): Promise<FleetFileWatch> {
  let lastText = await readText(options.path);
  let lastProblem: string | null = null;
  let settling: NodeJS.Timeout | null = null;
  let isClosed = false;
  options.onFleet(parseFleetText(options, lastText));

  const check = async (): Promise<void> => {
    try {
      const text = await readText(options.path);
      if (isClosed || text === lastText) return;
      lastText = text;
      const replicas = parseFleetText(options, text);
      lastProblem = null;
      options.onFleet(replicas);
    } catch (error) {
      // Whatever went wrong, a running router keeps its fleet and goes on.
      const problem =
        error instanceof FleetFileError ? error : new FleetFileError(`${options.path}: ${String(error)}`);
      if (isClosed || problem.message === lastProblem) return;
      lastProblem = problem.message;
      options.onProblem(problem);
    }
  };
  const soon = (): void => {
    if (settling !== null || isClosed) return;
    settling = setTimeout(() => {
      settling = null;
      void check();
    }, SETTLE_MS);
  };
  const watcher = watchFolder(options.path, soon);
  const poll = setInterval(() => void check(), options.pollMs);
  return {
    close: () => {
      isClosed = true;
      watcher?.close();
      clearInterval(poll);
      if (settling !== null) clearTimeout(settling);
    },
  };
}

async function readText(path: string): Promise<string> {
  try {
    if ((await stat(path)).size > MAX_FILE_BYTES)
      throw new Error(`it is longer than ${MAX_FILE_BYTES} bytes`);
    return await readFile(path, "utf8");
  } catch (error) {
    throw new FleetFileError(`${path}: cannot be read (${error instanceof Error ? error.message : error})`);
  }
}

/** Null where the platform or the folder cannot be watched: the poll is enough. */
function watchFolder(path: string, onEvent: () => void): FSWatcher | null {
  try {
    const name = basename(path);
    const watcher = watch(dirname(path), (_event, changed) => {
      // Mounted volumes switch a hidden link beside the file.
      if (changed === null || changed === name || changed.startsWith("..")) onEvent();
    });
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}
