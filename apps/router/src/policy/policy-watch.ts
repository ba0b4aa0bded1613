import type { Db } from "@evenkeel/db/connect";
import { listenPolicy, type PolicyListener } from "@evenkeel/db/listen";
import { acknowledgePolicy } from "@evenkeel/db/policy-acks";
import { livePolicy, type PolicyRevision } from "@evenkeel/db/policy-revisions";
import { compilePolicy } from "@evenkeel/scheduler/compile-policy";
import type { Logger } from "pino";
import { describeProblem } from "../fleet/fleet-file-watch.ts";
import type { LastGoodPolicy } from "./last-good-policy.ts";
import type { PolicyHolder } from "./policy-holder.ts";

export interface PolicyWatchOptions {
  readonly db: Db;
  readonly routerId: string;
  readonly holder: PolicyHolder;
  readonly lastGood: LastGoodPolicy;
  readonly pollMs: number;
  readonly logger: Logger;
}

/**
 * Follows the live policy revision. A notification is a hint to look at once; the poll is the truth. A revision
 * that compiles replaces the current one in one assignment; one that does not is refused, once, and routing goes
 * on by the last good one.
 */
export class PolicyWatch {
  readonly #options: PolicyWatchOptions;
  readonly #listener: PolicyListener;
  readonly #timer: NodeJS.Timeout;
  #refusedRevision: number | null = null;
  /** Acknowledged as applied or refused. */
  #ackedRevision: number | null = null;
  #isAway = false;
  #running: Promise<void> | null = null;
  #isWanted = false;
  #isClosed = false;

  constructor(options: PolicyWatchOptions) {
    this.#options = options;
    this.#listener = listenPolicy(options.db, () => this.check());
    this.#timer = setInterval(() => this.check(), options.pollMs);
    this.check();
  }

  /** Looks at the live revision soon; calls during a look lead to exactly one more. */
  check(): void {
    if (this.#isClosed) return;
    if (this.#running !== null) {
      this.#isWanted = true;
      return;
    }
    this.#running = this.#look().finally(() => {
      this.#running = null;
      if (!this.#isWanted) return;
      this.#isWanted = false;
      this.check();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#listener.close();
    await this.#running;
  }

  async #look(): Promise<void> {
    const { db, logger } = this.#options;
    try {
      const live = await livePolicy(db);
      if (this.#isAway) logger.info("the policy can be read again");
      this.#isAway = false;
      if (live !== null) await this.#consider(live);
    } catch (error) {
      if (!this.#isAway && !this.#isClosed) {
        logger.warn({ err: error }, "the policy cannot be read: routing goes on by the last good one");
      }
      this.#isAway = true;
    }
  }

  async #consider(live: PolicyRevision): Promise<void> {
    const { holder, logger, lastGood } = this.#options;
    if (live.revision === this.#refusedRevision) return;
    if (live.revision === holder.current.revision) {
      if (this.#ackedRevision !== live.revision) await this.#acknowledge(live.revision, null);
      return;
    }
    const compiled = compilePolicy(live.document, live.revision);
    if (!compiled.ok) {
      const problem = compiled.problems.map(describeProblem).join("; ");
      logger.error(
        { revision: live.revision, problem },
        "policy refused: routing goes on by the last good one",
      );
      await this.#acknowledge(live.revision, problem);
      this.#refusedRevision = live.revision;
      return;
    }
    holder.swap(compiled.policy);
    this.#refusedRevision = null;
    logger.info({ revision: live.revision }, "policy applied");
    await this.#acknowledge(live.revision, null);
    await lastGood.write(compiled.policy).catch((error: unknown) => {
      logger.warn({ err: error }, "the policy could not be kept on disk for a start without the database");
    });
  }

  async #acknowledge(revision: number, problem: string | null): Promise<void> {
    const { db, routerId } = this.#options;
    const status = problem === null ? "applied" : "refused";
    await acknowledgePolicy(db, { routerId, revision, status, problem });
    this.#ackedRevision = revision;
  }
}
