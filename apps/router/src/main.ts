import pino from "pino";
import { ConfigError, readConfig } from "./config.ts";
import { FleetFileError } from "./fleet/fleet-file-watch.ts";
import { PolicyFileError } from "./policy/first-policy.ts";
import { startRouter } from "./start-router.ts";

/** Exit codes: 0 after a drain, 1 for a failure, 2 for a configuration to correct. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = pino({ level: config.logLevel, base: { router: config.routerId } });
  const router = await startRouter(config, logger);
  // One line a program can read, whatever the log level.
  process.stdout.write(
    `${JSON.stringify({ event: "listening", host: config.host, port: router.port, adminPort: router.adminPort })}\n`,
  );
  let isLeaving = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isLeaving) process.exit(1);
      isLeaving = true;
      router.drain().then(
        () => process.exit(0),
        (error: unknown) => {
          logger.fatal({ err: error }, "the drain failed");
          process.exit(1);
        },
      );
    });
  }
}

main().catch((error: unknown) => {
  const isTheirs =
    error instanceof ConfigError || error instanceof FleetFileError || error instanceof PolicyFileError;
  process.stderr.write(
    isTheirs ? `router: ${error.message}\n` : `router: ${error instanceof Error ? error.stack : error}\n`,
  );
  process.exit(isTheirs ? 2 : 1);
});
