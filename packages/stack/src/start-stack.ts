import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { ensureConsoleBuilt } from "./console-build.ts";
import { freePort } from "./free-port.ts";
import { logFile } from "./log-file.ts";
import { startPostgres } from "./postgres.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { type Progress, silentProgress } from "./progress.ts";
import type { StackSettings } from "./stack-settings.ts";
import { type RunningConsole, startConsole } from "./start-console.ts";
import { type RunningRouter, startRouter } from "./start-router.ts";
import { type RunningSimulation, startSimulation } from "./start-simulation.ts";
import { type Running, type Supervised, supervise } from "./supervise.ts";

export interface Stack {
  /** null when started without a console. */
  consoleUrl: string | null;
  /** One-time address that makes the first admin; null when there is one already. */
  setupUrl: string | null;
  /** Base URL of the data plane. */
  routerUrl: string;
  adminUrl: string;
  databaseUrl: string;
  /** null when the database is not ours to stop. */
  database: Pick<Supervised<Running>, "pause" | "resume"> | null;
  router: Pick<Supervised<RunningRouter>, "pause" | "resume">;
  /** null with a fleet of one's own. */
  simulation: RunningSimulation | null;
  /** Load first, then router (which finishes what runs), console, replicas, database. */
  stop(): Promise<void>;
  /** Ends everything at once. */
  kill(): void;
}

/**
 * Starts the whole system as child processes of this one: database, migrations, simulated replicas unless a fleet file
 * is given, router, console. Ports given as 0 are picked. When a step fails, what was started is stopped.
 *
 * @throws StackError of the step that failed
 */
export async function startStack(
  settings: StackSettings,
  progress: Progress = silentProgress,
  abort?: AbortSignal,
): Promise<Stack> {
  const started: { stop: () => Promise<void>; kill: () => void }[] = [];
  const stop = async () => {
    for (const part of started.splice(0).reverse()) await part.stop();
  };
  const kill = () => {
    for (const part of started.splice(0).reverse()) part.kill();
  };
  try {
    abort?.addEventListener("abort", () => kill(), { once: true });
    return await bringUp(settings, progress, started, { stop, kill });
  } catch (error) {
    await stop();
    throw error;
  }
}

type Parts = { stop: () => Promise<void>; kill: () => void }[];

async function bringUp(
  settings: StackSettings,
  progress: Progress,
  started: Parts,
  end: Pick<Stack, "stop" | "kill">,
): Promise<Stack> {
  mkdirSync(settings.dataDir, { recursive: true });
  const log = (name: string) => logFile(join(settings.dataDir, "logs", `${name}.log`));
  const supervised = { onNotice: progress.warn };

  // Ports first: a clash is found before anything was started.
  const routerPort = await freePort(settings.routerPort, "ROUTER_PORT", settings.routerHost);
  const routerAdminPort = await freePort(settings.routerAdminPort, "ROUTER_ADMIN_PORT", settings.routerHost);
  const consolePort =
    settings.consolePort === null
      ? null
      : await freePort(settings.consolePort, "CONSOLE_PORT", settings.consoleHost);
  // The build needs no database: it runs beside everything else.
  const building = new AbortController();
  const built = consolePort === null ? null : ensureConsoleBuilt(progress, building.signal);
  built?.catch(() => {});
  started.push({ stop: async () => building.abort(), kill: () => building.abort() });

  const { databaseUrl, database } = await startDatabase(settings, progress, started);
  progress.step("bringing the database schema up to date");
  await prepareDatabase(databaseUrl);

  let simulation: RunningSimulation | null = null;
  let fleetFile = settings.fleetFile;
  if (fleetFile === null) {
    progress.step(`starting ${settings.simReplicas} simulated replicas`);
    const file = join(settings.dataDir, "fleet.simulated.yaml");
    const replicas = await startSimulation({
      replicas: settings.simReplicas,
      onFleet: (fleet) => writeFileSync(file, stringify(fleet)),
      onLine: log("simulation"),
      onNotice: progress.warn,
    });
    started.push(replicas);
    simulation = replicas;
    fleetFile = file;
  }

  progress.step("starting the router");
  const fleet = fleetFile;
  const routerLog = log("router");
  const router = await supervise<RunningRouter>({
    name: "router",
    ...supervised,
    start: () =>
      startRouter({
        host: settings.routerHost,
        port: routerPort,
        adminPort: routerAdminPort,
        databaseUrl,
        fleetFile: fleet,
        policyFile: settings.policyFile,
        dataDir: settings.dataDir,
        onLine: routerLog,
      }),
  });
  started.push(router);
  const { url: routerUrl, adminUrl } = current(router);
  if (simulation && settings.simLoadRps !== 0) {
    const load = simulation;
    await load.startLoad(routerUrl, settings.simLoadRps);
    progress.step(`requests are flowing through ${routerUrl}`);
    // Ended before the router drains, so that there is little to drain.
    started.push({ stop: () => load.stopLoad(), kill: () => {} });
  }

  let consoleUrl: string | null = null;
  let setupUrl: string | null = null;
  if (consolePort !== null) {
    await built;
    progress.step("starting the console");
    const consoleLog = log("console");
    const console = await supervise<RunningConsole>({
      name: "console",
      ...supervised,
      start: () =>
        startConsole({
          host: settings.consoleHost,
          port: consolePort,
          databaseUrl,
          dataDir: settings.dataDir,
          onLine: consoleLog,
        }),
    });
    // Below the router in the list: the console goes after it.
    started.splice(started.indexOf(router), 0, console);
    consoleUrl = current(console).url;
    setupUrl = current(console).setupUrl();
  }
  return { consoleUrl, setupUrl, routerUrl, adminUrl, databaseUrl, database, router, simulation, ...end };
}

async function startDatabase(settings: StackSettings, progress: Progress, started: Parts) {
  if (settings.databaseUrl !== null) return { databaseUrl: settings.databaseUrl, database: null };
  progress.step("starting Postgres");
  const dataDir = join(settings.dataDir, "postgres");
  // The address must stay the same over restarts.
  const port = await freePort(settings.postgresPort, "POSTGRES_PORT");
  const database = await supervise({
    name: "Postgres",
    onNotice: progress.warn,
    start: () => startPostgres({ dataDir, port, onProgress: progress.step }),
  });
  started.push(database);
  return { databaseUrl: current(database).url, database };
}

/** Only right after a start, which throws when nothing runs. */
function current<T extends Running>(supervised: Supervised<T>): T {
  const running = supervised.current();
  if (running === null) throw new Error("nothing runs right after its start");
  return running;
}
