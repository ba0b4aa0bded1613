import { type Replica, segmentOf } from "@evenkeel/scheduler/replica";
import type { EventClock } from "../event-clock.ts";
import { ReplicaRunner } from "../replica-runner.ts";
import type { ModelRequest, Sequence } from "../sequence.ts";
import type { SimulatedRequest } from "./simulated-request.ts";
import type { SimulatedRouter } from "./simulated-router.ts";
import type { FleetEvent, FleetMember } from "./simulation-options.ts";

/** How often a draining replica is looked at. */
const DRAIN_LOOK_MS = 100;

/** One replica of a fleet in virtual time, and what is open on it. */
export interface SimulatedReplica {
  replica: Replica;
  readonly runner: ReplicaRunner;
  /** In the engine, by request id. */
  readonly open: Map<string, OpenStream>;
  /** Dispatched and not yet in the engine's queue. */
  readonly underway: Set<ModelRequest>;
  isUp: boolean;
}

export interface OpenStream {
  readonly request: SimulatedRequest;
  readonly router: SimulatedRouter;
}

export interface FleetHooks {
  /** A step ended with tokens. */
  tokens(target: SimulatedReplica, sequences: readonly Sequence[]): void;
  /** A stream was cut by a crash. */
  broken(stream: OpenStream, sawToken: boolean): void;
}

/** The simulated engines, what happens to them, and how routers learn of it. */
export class SimulatedFleet {
  readonly #model: string;
  readonly #clock: EventClock;
  readonly #routers: readonly SimulatedRouter[];
  readonly #scrapeDelayMs: number;
  readonly #hooks: FleetHooks;
  readonly #replicas = new Map<string, SimulatedReplica>();

  constructor(options: {
    readonly model: string;
    readonly clock: EventClock;
    readonly routers: readonly SimulatedRouter[];
    readonly scrapeDelayMs: number;
    readonly hooks: FleetHooks;
    readonly members: readonly FleetMember[];
  }) {
    this.#model = options.model;
    this.#clock = options.clock;
    this.#routers = options.routers;
    this.#scrapeDelayMs = options.scrapeDelayMs;
    this.#hooks = options.hooks;
    for (const member of options.members) this.#add(member);
    this.#announce();
  }

  get replicas(): readonly SimulatedReplica[] {
    return [...this.#replicas.values()];
  }

  find(id: string): SimulatedReplica | null {
    return this.#replicas.get(id) ?? null;
  }

  /** @throws RangeError when the event names a replica that does not exist */
  apply(event: FleetEvent): void {
    if (event.kind === "join") {
      this.#add(event.member);
      this.#announce();
      return;
    }
    const target = this.find(event.id);
    if (target === null) throw new RangeError(`event "${event.kind}" names no replica: "${event.id}"`);
    switch (event.kind) {
      case "slowdown":
        target.runner.model.slowdown = event.factor;
        return;
      case "crash":
        this.#crash(target);
        return;
      case "restart":
        this.#comeBack(target);
        return;
      case "update":
        for (const router of this.#routers) router.setReplicaState(event.id, "draining");
        this.#updateWhenDrained(target, event.version, event.downMs);
    }
  }

  /** Reads every engine's metrics now; the routers have them after the scrape's delay. */
  scrape(): void {
    for (const target of this.#replicas.values()) if (target.isUp) this.#readSignals(target);
  }

  #add(member: FleetMember): void {
    const runner: ReplicaRunner = new ReplicaRunner(member.parameters, this.#clock, (sequences) =>
      this.#hooks.tokens(target, sequences),
    );
    runner.model.slowdown = member.slowdown ?? 1;
    const replica = this.#describe(member.id, member.labels ?? {});
    const target: SimulatedReplica = { replica, runner, open: new Map(), underway: new Set(), isUp: true };
    this.#replicas.set(member.id, target);
  }

  #describe(id: string, labels: Readonly<Record<string, string>>): Replica {
    const about = { model: this.#model, engine: "vllm", role: "unified", labels } as const;
    return { id, ...about, segment: segmentOf(about) };
  }

  #announce(): void {
    const replicas = this.replicas.map(({ replica }) => replica);
    for (const router of this.#routers) router.setReplicas(replicas);
    this.scrape();
  }

  #crash(target: SimulatedReplica): void {
    const broken = [...target.open.values()];
    const hasToken = new Set<string>();
    for (const { request, outputTokens } of target.runner.model.runningSequences()) {
      if (outputTokens > 0) hasToken.add(request.id);
    }
    this.#goDown(target);
    target.open.clear();
    for (const stream of broken) this.#hooks.broken(stream, hasToken.has(stream.request.modelRequest.id));
  }

  #goDown(target: SimulatedReplica): void {
    target.isUp = false;
    target.runner.restart();
    for (const router of this.#routers) router.setReplicaState(target.replica.id, "unreachable");
  }

  #comeBack(target: SimulatedReplica): void {
    target.isUp = true;
    for (const router of this.#routers) {
      router.forgetCache(target.replica.id);
      router.setReplicaState(target.replica.id, "ready");
    }
  }

  #updateWhenDrained(target: SimulatedReplica, version: string, downMs: number): void {
    if (target.open.size + target.underway.size > 0) {
      const lookAgain = (): void => this.#updateWhenDrained(target, version, downMs);
      this.#clock.at(this.#clock.nowMs + DRAIN_LOOK_MS, lookAgain);
      return;
    }
    this.#goDown(target);
    this.#clock.at(this.#clock.nowMs + downMs, () => {
      const { id, labels } = target.replica;
      target.replica = this.#describe(id, { ...labels, version });
      this.#announce();
      this.#comeBack(target);
    });
  }

  #readSignals({ replica, runner }: SimulatedReplica): void {
    const { model } = runner;
    const { kvBlocks, blockTokens, adapters } = model.parameters;
    const resident = model.residentAdapters;
    const signals = {
      observedAtMs: this.#clock.nowMs,
      running: model.running,
      queueDepth: model.queueDepth,
      kvOccupancy: model.kvOccupancy,
      kvCapacityTokens: kvBlocks * blockTokens,
      kvBlockTokens: blockTokens,
      adapters: resident.length === 0 ? null : resident,
      adapterSlots: adapters.slots,
    };
    this.#clock.at(this.#clock.nowMs + this.#scrapeDelayMs, () => {
      for (const router of this.#routers) router.observeSignals(replica.id, signals);
    });
  }
}
