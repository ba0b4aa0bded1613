/** Where progress lines go; `warn` is for what went wrong but is being dealt with. */
export interface Progress {
  step(message: string): void;
  warn(message: string): void;
}

/** Lines with the seconds since the start in front, on standard output. */
export function terminalProgress(): Progress {
  const startedAt = performance.now();
  const write = (mark: string, message: string) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
    process.stdout.write(`${seconds} s ${mark} ${message}\n`);
  };
  return { step: (message) => write("·", message), warn: (message) => write("!", message) };
}

export const silentProgress: Progress = { step: () => {}, warn: () => {} };
