/** Crockford's base 32: no I, L, O or U, so an id read aloud or typed survives. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const PREFIX = "dec_";
const BYTES = 16;
const TEXT_LENGTH = 26;
const MAX_TIME_MS = 2 ** 48 - 1;
const TEXT = /^dec_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * A decision's id: `dec_` and 26 characters holding 48 bits of milliseconds and 80 random bits, so that ids sort by time.
 * @param timeMs milliseconds since 1970; fractions are dropped.
 * @param random ten uniformly random bytes.
 * @throws RangeError when the time does not fit or there are not ten bytes.
 */
export function decisionId(timeMs: number, random: Uint8Array): string {
  const time = Math.floor(timeMs);
  if (!(time >= 0 && time <= MAX_TIME_MS)) throw new RangeError(`timeMs ${timeMs} does not fit 48 bits`);
  if (random.length !== 10) throw new RangeError(`an id takes 10 random bytes, got ${random.length}`);
  const bytes = new Uint8Array(BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(time / 2 ** 32));
  view.setUint32(2, time >>> 0);
  bytes.set(random, 6);
  return textOf(bytes);
}

/** Whether a string is a decision id as `decisionId` writes it. */
export function isDecisionId(text: string): boolean {
  return TEXT.test(text);
}

/** Milliseconds since 1970 inside an id. @throws RangeError when it is not an id. */
export function decisionIdTimeMs(id: string): number {
  const view = new DataView(bytesOf(id).buffer);
  return view.getUint16(0) * 2 ** 32 + view.getUint32(2);
}

/** The smallest UUID whose time is `timeMs`: the lower bound of a range of ids. */
export function decisionUuidAt(timeMs: number): string {
  return decisionIdToUuid(decisionId(timeMs, new Uint8Array(10)));
}

/** The id as a UUID, the way Postgres stores it. @throws RangeError when it is not an id. */
export function decisionIdToUuid(id: string): string {
  const hex = Buffer.from(bytesOf(id)).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The id of a stored UUID. @throws RangeError when it is not a UUID in lower case. */
export function decisionIdFromUuid(uuid: string): string {
  if (!UUID.test(uuid)) throw new RangeError(`not a UUID: ${uuid}`);
  return textOf(Buffer.from(uuid.replaceAll("-", ""), "hex"));
}

function textOf(bytes: Uint8Array): string {
  let text = PREFIX;
  // 26 characters hold 130 bits: the first two are zero.
  let pending = 0;
  let pendingBits = 2;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    pendingBits += 8;
    while (pendingBits >= 5) {
      pendingBits -= 5;
      text += ALPHABET.charAt((pending >>> pendingBits) & 31);
    }
    pending &= (1 << pendingBits) - 1;
  }
  return text;
}

function bytesOf(id: string): Uint8Array {
  if (!TEXT.test(id)) throw new RangeError(`not a decision id: ${id}`);
  const bytes = new Uint8Array(BYTES);
  let at = 0;
  let pending = 0;
  let pendingBits = -2;
  for (let i = 0; i < TEXT_LENGTH; i++) {
    pending = (pending << 5) | ALPHABET.indexOf(id.charAt(PREFIX.length + i));
    pendingBits += 5;
    if (pendingBits >= 8) {
      pendingBits -= 8;
      bytes[at++] = (pending >>> pendingBits) & 255;
      pending &= (1 << pendingBits) - 1;
    }
  }
  return bytes;
}
