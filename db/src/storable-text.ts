/** Postgres text holds no NUL and no lone surrogate; both become U+FFFD, so that one odd name cannot fail a batch. */
export function storableText(text: string): string {
  // Nearly all texts are plain, and looking is cheaper than copying.
  if (text.isWellFormed() && !text.includes("\u0000")) return text;
  return text.toWellFormed().replaceAll("\u0000", "\uFFFD");
}
