/** The characters of a header name (RFC 9110, token). */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** A header value holds no control character but the tab: CR or LF would start another header or message. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Visible ASCII, short: fit to be echoed, logged and stored. */
const IDENTIFIER = /^[\x21-\x7e]{1,128}$/;

/** True for a legal header name. */
export function isFieldName(name: string): boolean {
  return NAME.test(name);
}

/** True for a header value that can be written without changing what follows it. */
export function isFieldValue(value: string): boolean {
  return VALUE.test(value);
}

/** True for a client's request id that may be kept; another is made for anything else. */
export function isRequestId(value: string): boolean {
  return IDENTIFIER.test(value);
}
