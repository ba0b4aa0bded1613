/**
 * Reads a command line number.
 * @throws RangeError that names the flag and the bound
 */
export function numberFlag(
  flag: string,
  text: string,
  bounds: { readonly min?: number; readonly isInteger?: boolean } = {},
): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value))
    throw new RangeError(`${flag}: "${text}" is not a number`);
  if (bounds.isInteger === true && !Number.isInteger(value)) {
    throw new RangeError(`${flag}: ${text} is not a whole number`);
  }
  if (bounds.min !== undefined && value < bounds.min)
    throw new RangeError(`${flag}: ${text} is below ${bounds.min}`);
  return value;
}
