import { decodeUtf8 } from "./decode-utf8.ts";

/** Says whether bytes are valid UTF-8. A platform's own check is many times faster than `isUtf8` and may stand in for it. */
export type Utf8Check = (bytes: Uint8Array) => boolean;

/** Checks by decoding, which every runtime can do. */
export const isUtf8: Utf8Check = (bytes) => decodeUtf8(bytes) !== null;
