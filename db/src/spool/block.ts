import { crc32 } from "node:zlib";

/** What a block holds. The numbers are on disk: never change them. */
export const BLOCK_KINDS = { decisions: 1, snapshots: 2 } as const;
export type BlockKind = keyof typeof BLOCK_KINDS;

/** Records on their way to the database, packed. */
export interface Block {
  readonly kind: BlockKind;
  readonly records: number;
  readonly payload: Uint8Array;
}

const MAGIC = 0x454b4231;
/** Magic, kind, records, length of the payload, checksum of the four before and the payload: 32 bits each. */
export const BLOCK_HEADER_BYTES = 20;

/** A block with its header and checksum, as it lies on disk. */
export function sealBlock(block: Block): Buffer {
  const bytes = Buffer.allocUnsafe(BLOCK_HEADER_BYTES + block.payload.length);
  bytes.writeUInt32BE(MAGIC, 0);
  bytes.writeUInt32BE(BLOCK_KINDS[block.kind], 4);
  bytes.writeUInt32BE(block.records, 8);
  bytes.writeUInt32BE(block.payload.length, 12);
  bytes.set(block.payload, BLOCK_HEADER_BYTES);
  bytes.writeUInt32BE(checksum(bytes.subarray(0, 16), block.payload), 16);
  return bytes;
}

/** Bytes of the block that starts with this header, null when none does. */
export function sealedLength(header: Buffer): number | null {
  if (header.length < BLOCK_HEADER_BYTES || header.readUInt32BE(0) !== MAGIC) return null;
  return BLOCK_HEADER_BYTES + header.readUInt32BE(12);
}

/** The block in these bytes; null when they are torn, damaged or something else. */
export function openBlock(bytes: Buffer): Block | null {
  if (sealedLength(bytes) !== bytes.length) return null;
  const payload = bytes.subarray(BLOCK_HEADER_BYTES);
  if (bytes.readUInt32BE(16) !== checksum(bytes.subarray(0, 16), payload)) return null;
  const kind = kindOf(bytes.readUInt32BE(4));
  return kind === null ? null : { kind, records: bytes.readUInt32BE(8), payload };
}

function kindOf(code: number): BlockKind | null {
  if (code === BLOCK_KINDS.decisions) return "decisions";
  return code === BLOCK_KINDS.snapshots ? "snapshots" : null;
}

function checksum(header: Uint8Array, payload: Uint8Array): number {
  return crc32(payload, crc32(header));
}
