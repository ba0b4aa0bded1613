/** `npm run bench:proxy`: the router's speed beside other proxies and routers on one machine. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { describeMachine } from "./machine.ts";
import { withGeneratedSection } from "./performance-page.ts";
import { choosePinning, PinningError } from "./pinning.ts";
import { PEER_REQUIREMENTS, PROXY_HELP, type ProxyOptions, proxyOptions } from "./proxy-options.ts";
import { proxyReport } from "./proxy-report.ts";
import { ProxyRun } from "./proxy-run.ts";
import { proxyTables } from "./proxy-tables.ts";
import { installPeer } from "./targets/peer-venv.ts";

try {
  const options = proxyOptions(process.argv.slice(2));
  if (options === "help") process.stdout.write(PROXY_HELP);
  else await bench(options);
} catch (error) {
  if (!(error instanceof RangeError || error instanceof PinningError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function bench(options: ProxyOptions): Promise<void> {
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1_000;
  const say = (text: string): void => {
    process.stderr.write(`${seconds().toFixed(0).padStart(5)} s  ${text}\n`);
  };
  if (options.installPeers) {
    for (const requirement of PEER_REQUIREMENTS) {
      const problem = installPeer(options.peers, requirement);
      say(
        problem === null ? `${requirement} is installed` : `${requirement} cannot be installed: ${problem}`,
      );
    }
  }
  const loadBefore = loadavg()[0] ?? 0;
  const cores = choosePinning();
  const figures = await new ProxyRun(options, cores, say).measure();
  const report = proxyReport({
    figures,
    options,
    machine: describeMachine(loadBefore),
    seconds: seconds(),
  });
  const tables = proxyTables(report);
  process.stdout.write(`${tables}\n`);
  if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  if (options.out !== null) {
    const before = existsSync(options.out) ? readFileSync(options.out, "utf8") : "# Performance\n";
    writeFileSync(options.out, withGeneratedSection(before, tables));
  }
}
