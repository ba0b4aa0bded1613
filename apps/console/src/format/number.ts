const THIN = "\u2009";
const MINUS = "−";
/** Said for every value that is not known; never 0. */
export const UNKNOWN = "–";

/** `1 234 567` with thin spaces, `−` for negative. */
export function grouped(value: number, digits = 0): string {
  const [whole = "0", fraction] = Math.abs(value).toFixed(digits).split(".");
  const text = whole.replace(/\B(?=(\d{3})+$)/g, THIN) + (fraction === undefined ? "" : `.${fraction}`);
  return value < 0 && Number(text.replaceAll(THIN, "")) !== 0 ? MINUS + text : text;
}

/** Milliseconds below 10 s, then seconds: `8.5 ms`, `412 ms`, `1 986 ms`, `12.4 s`, `120 s`. */
export function millis(ms: number | null): string {
  if (ms === null) return UNKNOWN;
  if (Math.abs(ms) < 10) return `${grouped(ms, Number.isInteger(ms) ? 0 : 1)} ms`;
  if (Math.abs(ms) < 10_000) return `${grouped(ms)} ms`;
  return `${grouped(ms / 1000, ms % 1000 === 0 ? 0 : 1)} s`;
}

/** Ratio 0..1 as percent; one decimal only under 10 %. */
export function percent(ratio: number | null): string {
  if (ratio === null) return UNKNOWN;
  const value = ratio * 100;
  return `${grouped(value, Math.abs(value) < 10 && value !== 0 ? 1 : 0)} %`;
}

/** Tokens: `890`, `14.2 k`, `1.9 M`. */
export function tokens(count: number | null): string {
  if (count === null) return UNKNOWN;
  if (Math.abs(count) < 1_000) return grouped(count);
  if (Math.abs(count) < 100_000) return `${grouped(count / 1_000, 1)} k`;
  if (Math.abs(count) < 1_000_000) return `${grouped(count / 1_000)} k`;
  return `${grouped(count / 1_000_000, 1)} M`;
}

/** `1 router`, `3 routers` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
