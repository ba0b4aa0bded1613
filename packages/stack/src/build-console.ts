/** Builds the console when its sources have changed since the last build. */
import { ensureConsoleBuilt } from "./console-build.ts";
import { terminalProgress } from "./progress.ts";
import { StackError } from "./stack-error.ts";

const progress = terminalProgress();
try {
  await ensureConsoleBuilt(progress);
  progress.step("the console is built");
} catch (error) {
  if (!(error instanceof StackError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
