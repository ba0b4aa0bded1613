/**
 * Upstream and clients in one process on one core, so that no scheduler comes between them and both run on one clock.
 * Started by the bench with an IPC channel.
 */
import { setPriority } from "node:os";
import { ClientConnection } from "./client-connection.ts";
import { runOpenLoop } from "./open-loop.ts";
import { chatRequest, promptBodies } from "./prompt-bodies.ts";
import { Upstream } from "./upstream.ts";
import { type WorldAnswers, type WorldReply, type WorldRequest, worldEnvelope } from "./world-messages.ts";

/** Ahead of the database on the same core, where the system allows it. */
const PRIORITY = -10;

try {
  setPriority(PRIORITY);
} catch {
  // Without the right to it, figures are a little noisier.
}

const upstream = new Upstream();
let held: ClientConnection[] = [];

process.on("disconnect", () => process.exit(0));
process.on("message", (message) => {
  const { id, request } = worldEnvelope.parse(message);
  const reply = (body: WorldReply): void => {
    process.send?.(body);
  };
  answer(request).then(
    (result) => reply({ id, ok: true, answer: result }),
    (error: unknown) =>
      reply({ id, ok: false, message: error instanceof Error ? error.message : String(error) }),
  );
});

async function answer(request: WorldRequest): Promise<WorldAnswers[WorldRequest["kind"]]> {
  switch (request.kind) {
    case "listen":
      return upstream.listen(request.replicas);
    case "pace":
      upstream.pace = request.pace;
      return null;
    case "openLoop":
      return runOpenLoop({
        ...request,
        bodies: promptBodies(request.bodyKb, request.isStreaming, request.seed),
      });
    case "holdStreams":
      return holdStreams(request.port, request.streams);
    case "releaseStreams":
      for (const connection of held) connection.destroy();
      held = [];
      return null;
  }
}

/** Opens streams that get one event and then nothing, a few at a time. */
async function holdStreams(port: number, streams: number): Promise<number> {
  const bodies = promptBodies(4, true, 1);
  const exchanges: { firstByteAtMs: number | null }[] = [];
  for (let stream = 0; stream < streams; stream++) {
    const body = bodies[stream % bodies.length];
    if (body === undefined) break;
    const connection = new ClientConnection(port, () => {});
    held.push(connection);
    exchanges.push(connection.send(chatRequest(port, body), () => {}));
    if (stream % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const begun = () => exchanges.filter(({ firstByteAtMs }) => firstByteAtMs !== null).length;
  for (let waited = 0; waited < 100 && begun() < streams; waited++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return begun();
}
