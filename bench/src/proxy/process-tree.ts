import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second. */
const US_PER_TICK = 10_000;

/** A process and all its descendants, found anew at each reading. */
export class ProcessTree {
  readonly #root: number;

  constructor(rootPid: number) {
    this.#root = rootPid;
  }

  /** Processor time used so far, user and system, microseconds. */
  cpuUs(): number {
    return this.#sum((pid) => {
      const fields = statFields(pid);
      return fields === null ? 0 : (Number(fields[11]) + Number(fields[12])) * US_PER_TICK;
    });
  }

  /** Resident memory, bytes. */
  residentBytes(): number {
    return this.#sum((pid) => {
      const kilobytes = /^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`) ?? "")?.[1];
      return Number(kilobytes ?? 0) * 1_024;
    });
  }

  #sum(figure: (pid: number) => number): number {
    return this.#pids().reduce((total, pid) => total + figure(pid), 0);
  }

  #pids(): number[] {
    const parents = new Map<number, number>();
    for (const name of readdirSync("/proc")) {
      const pid = Number(name);
      const fields = Number.isInteger(pid) ? statFields(pid) : null;
      if (fields !== null) parents.set(pid, Number(fields[1]));
    }
    const isOurs = (pid: number | undefined): boolean => {
      let at = pid;
      while (at !== undefined && at > 1 && at !== this.#root) at = parents.get(at);
      return at === this.#root;
    };
    return [...parents.keys()].filter(isOurs);
  }
}

/** The fields of /proc/PID/stat from the third (state) on; the second may hold spaces. */
function statFields(pid: number): string[] | null {
  const stat = read(`/proc/${pid}/stat`);
  return stat === null ? null : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // The process has ended.
    return null;
  }
}
