/** Response headers as undici gives them: lower-case names, several values as a list. */
export type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Whether an answer is a stream of events. */
export function isEventStream(headers: UpstreamHeaders): boolean {
  const type = headers["content-type"];
  return typeof type === "string" && type.toLowerCase().startsWith("text/event-stream");
}

/** Names and values in turn. */
export function flatHeaders(headers: UpstreamHeaders): string[] {
  const flat: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === "string") flat.push(name, value);
    else if (value !== undefined) for (const one of value) flat.push(name, one);
  }
  return flat;
}
