/** `npm run console`: the console alone, against the Postgres in DATABASE_URL; built first when it is not. */

import { ensureConsoleBuilt } from "./console-build.ts";
import { freePort } from "./free-port.ts";
import { terminalProgress } from "./progress.ts";
import { StackError } from "./stack-error.ts";
import { stackSettings } from "./stack-settings.ts";
import { startConsole } from "./start-console.ts";

const progress = terminalProgress();
try {
  const settings = stackSettings(process.env);
  if (settings.databaseUrl === null) {
    throw new StackError(
      "configuration",
      "DATABASE_URL is not set: the console needs the address of the router's Postgres, such as postgres://user:password@host:5432/evenkeel.",
    );
  }
  const port = await freePort(settings.consolePort ?? 0, "CONSOLE_PORT", settings.consoleHost);
  await ensureConsoleBuilt(progress);
  const running = await startConsole({
    host: settings.consoleHost,
    port,
    databaseUrl: settings.databaseUrl,
    dataDir: settings.dataDir,
    onLine: (line) => process.stdout.write(`${line}\n`),
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => void running.stop());
  const setup = running.setupUrl();
  progress.step(`console at ${running.url}`);
  if (setup) progress.step(`make the first account: ${setup}`);
  const reason = await running.exited;
  progress.step(`the console ${reason}`);
  process.exit(/exit code 0|SIGTERM/.test(reason) ? 0 : 1);
} catch (error) {
  if (!(error instanceof StackError)) throw error;
  process.stderr.write(`The console could not start (${error.code}).\n${error.message}\n`);
  process.exit(1);
}
