import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pinned } from "./pinning.ts";
import { type BodyKb, chatRequest, promptBodies } from "./prompt-bodies.ts";

/** Connections that each always have a request under way. */
export const SATURATING_CONNECTIONS = 32;

export interface SaturateInput {
  readonly port: number;
  readonly bodyKb: BodyKb;
  readonly isStreaming: boolean;
  readonly seconds: number;
  readonly seed: number;
  readonly core: number;
  /** For the request file and wrk's script. */
  readonly folder: string;
}

export interface SaturateResult {
  readonly requests: number;
  readonly failed: number;
  readonly seconds: number;
}

/** wrk sends ready-made requests in turn and prints one line of figures. */
const SCRIPT = `
local requests, at = {}, 0
function init(args)
  local file = io.open(args[1], "rb")
  while true do
    local length = file:read(10)
    if not length then break end
    requests[#requests + 1] = file:read(tonumber(length))
  end
  file:close()
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency, each)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"failed":%d,"seconds":%.6f}\\n', summary.requests,
    e.connect + e.read + e.write + e.timeout + e.status, summary.duration / 1000000))
end
`;

/**
 * Keeps a target busy with wrk for some whole seconds.
 * @throws Error when wrk cannot be run (Debian package wrk)
 */
export async function saturate(input: SaturateInput): Promise<SaturateResult> {
  const script = join(input.folder, "saturate.lua");
  const requests = join(input.folder, "requests.bin");
  writeFileSync(script, SCRIPT);
  const frames = promptBodies(input.bodyKb, input.isStreaming, input.seed).flatMap((body) => {
    const request = chatRequest(input.port, body);
    return [Buffer.from(String(request.length).padStart(10, "0")), request];
  });
  writeFileSync(requests, Buffer.concat(frames));
  const wrk = [
    "wrk",
    "-t1",
    `-c${SATURATING_CONNECTIONS}`,
    `-d${input.seconds}s`,
    "--timeout",
    "30s",
    "-s",
    script,
  ];
  const output = await run(pinned(input.core, [...wrk, `http://127.0.0.1:${input.port}/`, "--", requests]));
  const line = output.split("\n").findLast((text) => text.startsWith("{"));
  if (line === undefined) throw new Error(`wrk said: ${output.trim()}`);
  // Written by the script above.
  return JSON.parse(line) as SaturateResult;
}

function run([program, ...args]: [string, ...string[]]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (data) => (output += data));
    child.stderr.on("data", (data) => (output += data));
    child.on("error", reject);
    child.on("close", () => resolve(output));
  });
}
