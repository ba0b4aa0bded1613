import { type FSWatcher, watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { type FleetReplica, parseFleetFile } from "@evenkeel/scheduler/fleet-file";
import type { DocumentProblem } from "@evenkeel/scheduler/schema-problems";
import { parseDocument } from "yaml";

/** The fleet file cannot be used; the message names the file, the field and the fix. */
export class FleetFileError extends Error {
  readonly code = "invalid_fleet_file";
  override readonly name = "FleetFileError";
}

/** @throws FleetFileError */
function parseFleetText(
  { path, secret }: { path: string; secret: (name: string) => string | null },
  text: string,
): FleetReplica[] {
  const document = parseDocument(text, { prettyErrors: true });
  const [syntaxError] = document.errors;
  if (syntaxError !== undefined) {
    throw new FleetFileError(`${path}: not valid YAML: ${syntaxError.message.split("\n")[0]}`);
  }
  const parsed = parseFleetFile(document.toJS());
  const problems = parsed.ok ? missingSecrets(parsed.replicas, secret) : parsed.problems;
  if (!parsed.ok || problems.length > 0) {
    throw new FleetFileError(`${path}: ${problems.map(describeProblem).join("; ")}`);
  }
  return parsed.replicas;
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
      if (!(error instanceof FleetFileError)) throw error;
      if (isClosed || error.message === lastProblem) return;
      lastProblem = error.message;
      options.onProblem(error);
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
