import { parseArgs } from "node:util";
import { loadCommand } from "./load-command.ts";
import { serveCommand } from "./serve-command.ts";

const USAGE = `usage: npm run sim -- <command> [options]

  serve   simulated vLLM replicas on free ports      npm run sim -- serve --help
  load    chat traffic against an OpenAI endpoint    npm run sim -- load --help
`;

const [command, ...args] = process.argv.slice(2);
try {
  if (command === "serve") await serveCommand(args);
  else if (command === "load") await loadCommand(args);
  else {
    parseArgs({ args, strict: false });
    process.stdout.write(USAGE);
    process.exitCode = command === undefined || command === "--help" ? 0 : 2;
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
