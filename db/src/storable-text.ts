/** Postgres text holds no NUL and no lone surrogate; both become U+FFFD, so that one odd name cannot fail a batch. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\uFFFD");
}
