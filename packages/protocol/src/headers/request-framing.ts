import { isFieldName, isFieldValue } from "./field-syntax.ts";

/**
 * Says why a request's headers could make two servers disagree on where it ends (request smuggling); null when they
 * cannot. Node's parser refuses most of these first: this is the second lock.
 * @param raw names and values in turn, as received
 */
export function framingProblem(raw: readonly string[]): { field: string; message: string } | null {
  const lengths: string[] = [];
  const encodings: string[] = [];
  let hosts = 0;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? "";
    const value = raw[i + 1] ?? "";
    if (!isFieldName(name)) {
      return { field: "headers", message: "A header name holds an illegal character." };
    }
    const lower = name.toLowerCase();
    if (!isFieldValue(value)) {
      return { field: lower, message: `The header ${lower} holds a control character or a folded line.` };
    }
    if (lower === "content-length") {
      lengths.push(value.trim());
    } else if (lower === "transfer-encoding") {
      encodings.push(value.trim().toLowerCase());
    } else if (lower === "host") {
      hosts += 1;
    }
  }
  if (hosts > 1) {
    return { field: "host", message: "The request has more than one Host header." };
  }
  if (lengths.length > 1 || lengths.some((length) => !/^\d+$/.test(length))) {
    return { field: "content-length", message: "Content-Length must be one whole number." };
  }
  if (lengths.length > 0 && encodings.length > 0) {
    return { field: "content-length", message: "Send either Content-Length or Transfer-Encoding, not both." };
  }
  if (encodings.length > 1 || encodings.some((encoding) => encoding !== "chunked")) {
    return { field: "transfer-encoding", message: 'The only Transfer-Encoding understood is "chunked".' };
  }
  return null;
}
