import type { EventClock } from "../event-clock.ts";
import type { TraceRequest } from "../traces/trace-request.ts";
import type { SessionStep, Workload } from "./workload.ts";

/** Makes a workload's requests arrive: open-loop ones at their times, those of sessions after the answer before. */
export class Arrivals {
  readonly #workload: Workload;
  readonly #clock: EventClock;
  readonly #arrive: (request: TraceRequest, onDone: () => void) => void;
  /** Open-loop requests and sessions that have not begun. */
  #notBegun: number;
  /** Sessions in a pause. */
  #pausing = 0;

  /** @param arrive sends a request; calls `onDone` when it is over, however it went */
  constructor(
    workload: Workload,
    clock: EventClock,
    arrive: (request: TraceRequest, onDone: () => void) => void,
  ) {
    this.#workload = workload;
    this.#clock = clock;
    this.#arrive = arrive;
    this.#notBegun = workload.requests.length + workload.sessions.length;
  }

  /** Whether something will arrive without the answer to an open request. */
  get hasMore(): boolean {
    return this.#notBegun > 0 || this.#pausing > 0;
  }

  begin(): void {
    this.#planRequest(0);
    for (const session of this.#workload.sessions) {
      this.#clock.at(session.startAtMs, () => {
        this.#notBegun -= 1;
        this.#runSteps(session.steps, 0, () => {});
      });
    }
  }

  /** One open-loop request is planned at a time: the event queue stays small. */
  #planRequest(index: number): void {
    const request = this.#workload.requests[index];
    if (request === undefined) return;
    this.#clock.at(request.atMs, () => {
      this.#notBegun -= 1;
      this.#planRequest(index + 1);
      this.#arrive(request, () => {});
    });
  }

  #runSteps(steps: readonly SessionStep[], index: number, onEnd: () => void): void {
    const step = steps[index];
    const endAtMs = this.#workload.sessionsEndAtMs ?? Number.POSITIVE_INFINITY;
    if (step === undefined || this.#clock.nowMs > endAtMs) {
      onEnd();
      return;
    }
    const next = (): void => this.#runSteps(steps, index + 1, onEnd);
    if (step.kind === "parallel") {
      let left = step.branches.length;
      if (left === 0) next();
      for (const branch of step.branches) {
        this.#runSteps(branch, 0, () => {
          left -= 1;
          if (left === 0) next();
        });
      }
      return;
    }
    this.#pausing += 1;
    this.#clock.at(this.#clock.nowMs + step.thinkMs, () => {
      this.#pausing -= 1;
      if (this.#clock.nowMs <= endAtMs) this.#arrive(step.request, next);
      else onEnd();
    });
  }
}
