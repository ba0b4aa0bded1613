/**
 * What the log says of an error. The database library puts a query's parameters into its message, and those hold
 * session tokens and hashes: the query is named without them.
 */
export function faultWords(error: unknown): string {
  const words: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    const text = withoutParameters(current);
    // A wrapper often repeats what it wraps.
    if (!words.includes(text)) words.push(text);
    current = current.cause;
  }
  return words.length > 0 ? words.join(" < ") : typeof error === "string" ? error : "unknown failure";
}

function withoutParameters(error: Error): string {
  const code = "code" in error && typeof error.code === "string" ? ` (${error.code})` : "";
  const [message = ""] = error.message.split(/\n?params:/);
  return `${error.name}: ${message.trim()}${code}`;
}
