const BLOCK = 512;

/** A file inside a tar archive. */
export interface TarEntry {
  readonly name: string;
  readonly data: Uint8Array;
}

/**
 * The regular files of an uncompressed tar archive (ustar and GNU; long names beyond 100 + 155 bytes are not read).
 * @throws RangeError when the archive is cut short
 */
export function tarEntries(archive: Uint8Array): TarEntry[] {
  const entries: TarEntry[] = [];
  const text = new TextDecoder();
  const field = (at: number, length: number): string => {
    const bytes = archive.subarray(at, at + length);
    const end = bytes.indexOf(0);
    return text.decode(end < 0 ? bytes : bytes.subarray(0, end));
  };
  let at = 0;
  while (at + BLOCK <= archive.length && archive[at] !== 0) {
    const size = Number.parseInt(field(at + 124, 12).trim(), 8);
    const prefix = field(at + 257, 6).startsWith("ustar") ? field(at + 345, 155) : "";
    const name = prefix === "" ? field(at, 100) : `${prefix}/${field(at, 100)}`;
    const type = field(at + 156, 1);
    const from = at + BLOCK;
    if (!Number.isFinite(size) || from + size > archive.length) {
      throw new RangeError(`the tar archive is cut short or damaged at ${name || `byte ${at}`}`);
    }
    if (type === "" || type === "0") entries.push({ name, data: archive.subarray(from, from + size) });
    at = from + Math.ceil(size / BLOCK) * BLOCK;
  }
  return entries;
}
