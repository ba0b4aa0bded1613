const BEGIN = "<!-- written by npm run bench:proxy -->";
const END = "<!-- end of what bench:proxy wrote -->";

/** The page with its generated section replaced, or added at the end. */
export function withGeneratedSection(page: string, section: string): string {
  const block = `${BEGIN}\n\n${section.trim()}\n\n${END}`;
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from === -1 || to < from) return `${page.trimEnd()}\n\n${block}\n`;
  return page.slice(0, from) + block + page.slice(to + END.length);
}
