/** Something that runs until it ends: a child process, or the database server. */
export interface Running {
  /** Settles when it has ended, with the reason in words. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
  kill(): void;
}

export interface SupervisionOptions<T extends Running> {
  name: string;
  start: () => Promise<T>;
  /** Told of every unexpected end and of what is done about it. */
  onNotice: (message: string) => void;
  /** First wait before a restart; doubles up to thirty times that while restarts fail. */
  backOffMs?: number;
}

export interface Supervised<T extends Running> {
  /** What runs now, or null between two starts. */
  current(): T | null;
  /** Ends it and lets it stay down until resume(). */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
  kill(): void;
}

/** A run that lasted this long counts as healthy: the next end starts the back-off anew. */
const HEALTHY_AFTER_MS = 30_000;

/** Starts `start` and starts it again, with growing waits, whenever it ends by itself. The first start's error is thrown. */
export async function supervise<T extends Running>(options: SupervisionOptions<T>): Promise<Supervised<T>> {
  const { name, start, onNotice, backOffMs = 500 } = options;
  let wanted = true;
  let current: T | null = null;
  let failures = 0;
  let timer: NodeJS.Timeout | null = null;
  let starting: Promise<void> | null = null;

  const watch = (running: T) => {
    current = running;
    const startedAt = performance.now();
    void running.exited.then((reason) => {
      if (current === running) current = null;
      if (!wanted) return;
      if (performance.now() - startedAt > HEALTHY_AFTER_MS) failures = 0;
      again(reason);
    });
  };
  const again = (reason: string) => {
    const waitMs = Math.min(backOffMs * 2 ** failures, backOffMs * 30);
    failures++;
    onNotice(`${name} ${reason}; starting it again in ${waitMs / 1000} s`);
    timer = setTimeout(() => {
      timer = null;
      starting = restart();
    }, waitMs);
  };
  const restart = async () => {
    try {
      const running = await start();
      if (wanted) watch(running);
      else await running.stop();
    } catch (error) {
      if (wanted) again(`did not start: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const down = async () => {
    wanted = false;
    if (timer) clearTimeout(timer);
    timer = null;
    await starting;
    await current?.stop();
  };

  watch(await start());
  return {
    current: () => current,
    pause: down,
    resume: async () => {
      wanted = true;
      failures = 0;
      watch(await start());
    },
    stop: down,
    kill: () => {
      wanted = false;
      if (timer) clearTimeout(timer);
      current?.kill();
    },
  };
}
