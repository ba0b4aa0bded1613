/** The first 128 bits of a digest in hex, in the form Postgres reads as a UUID: 16 bytes where text would take 37. */
export function uuidOfDigest(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
