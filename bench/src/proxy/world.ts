import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { pinned } from "./pinning.ts";
import type { WorldAnswers, WorldReply, WorldRequest } from "./world-messages.ts";

/** The process that plays upstream and clients, as the bench sees it. */
export class World {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (reply: WorldReply) => void>();
  #nextId = 0;
  #end: string | null = null;

  constructor(core: number) {
    const [program, ...args] = pinned(core, [process.execPath, join(import.meta.dirname, "world-main.ts")]);
    this.#child = spawn(program, args, {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      // JSON would make null of a quantile of nothing.
      serialization: "advanced",
    });
    this.#child.on("message", (message) => {
      // Our own process on the other end of the channel sends nothing else.
      const reply = message as WorldReply;
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    });
    this.#child.on("exit", (code, signal) => {
      this.#end = `the upstream process ended (${signal ?? code})`;
      for (const [id, settle] of this.#waiting) settle({ id, ok: false, message: this.#end });
      this.#waiting.clear();
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** @throws Error with what went wrong there */
  async ask<K extends WorldRequest["kind"]>(
    request: Extract<WorldRequest, { kind: K }>,
  ): Promise<WorldAnswers[K]> {
    if (this.#end !== null) throw new Error(this.#end);
    const id = this.#nextId++;
    const reply = await new Promise<WorldReply>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#child.send({ id, request });
    });
    if (!reply.ok) throw new Error(reply.message);
    // The kind of the answer is the kind of the request: WorldAnswers is the other side's return type.
    return reply.answer as WorldAnswers[K];
  }

  close(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}
