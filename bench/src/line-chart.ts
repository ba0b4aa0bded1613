const WIDTH = 720;
const HEIGHT = 380;
const MARGIN = { top: 36, right: 200, bottom: 46, left: 56 } as const;
const COLORS = [
  "#2f6fde",
  "#d9622b",
  "#2a9d62",
  "#8a4fd0",
  "#b8304f",
  "#7a6a2e",
  "#2a9da8",
  "#666666",
] as const;

export interface ChartPoint {
  readonly x: number;
  readonly y: number;
}

export interface LineChart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly yRange: readonly [number, number];
  readonly lines: readonly { readonly name: string; readonly points: readonly ChartPoint[] }[];
  /** A horizontal line with a label. */
  readonly mark?: { readonly y: number; readonly label: string };
}

/** A line chart as a self-contained SVG document; points of equal x are averaged, points outside the y range clipped. */
export function lineChart(chart: LineChart): string {
  const lines = chart.lines.map(({ name, points }) => ({ name, points: averaged(points) }));
  const xs = lines.flatMap(({ points }) => points.map(({ x }) => x));
  const [least, most] = xs.length === 0 ? [0, 1] : [Math.min(...xs), Math.max(...xs)];
  const span = most > least ? most - least : 1;
  const [low, high] = chart.yRange;
  const plotWidth = WIDTH - MARGIN.left - MARGIN.right;
  const plotHeight = HEIGHT - MARGIN.top - MARGIN.bottom;
  const atX = (x: number): string => (MARGIN.left + ((x - least) / span) * plotWidth).toFixed(1);
  const atY = (y: number): string => {
    const share = (Math.min(high, Math.max(low, y)) - low) / (high - low);
    return (MARGIN.top + (1 - share) * plotHeight).toFixed(1);
  };
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    `<text x="${MARGIN.left}" y="20" font-size="14" fill="#222222">${escapeXml(chart.title)}</text>`,
    ...ticks.flatMap((tick) => {
      const y = low + tick * (high - low);
      const x = least + tick * span;
      return [
        `<line x1="${MARGIN.left}" x2="${MARGIN.left + plotWidth}" y1="${atY(y)}" y2="${atY(y)}" stroke="#e2e2e2"/>`,
        `<text x="${MARGIN.left - 6}" y="${atY(y)}" text-anchor="end" dominant-baseline="middle" fill="#555555">${y.toFixed(3)}</text>`,
        `<text x="${atX(x)}" y="${HEIGHT - 26}" text-anchor="middle" fill="#555555">${x.toPrecision(3)}</text>`,
      ];
    }),
    `<text x="${MARGIN.left + plotWidth / 2}" y="${HEIGHT - 8}" text-anchor="middle" fill="#222222">${escapeXml(chart.xLabel)}</text>`,
    `<text x="12" y="${MARGIN.top - 8}" fill="#222222">${escapeXml(chart.yLabel)}</text>`,
  ];
  if (chart.mark !== undefined) {
    const y = atY(chart.mark.y);
    parts.push(
      `<line x1="${MARGIN.left}" x2="${MARGIN.left + plotWidth}" y1="${y}" y2="${y}" stroke="#999999" stroke-dasharray="4 4"/>`,
      `<text x="${MARGIN.left + plotWidth + 6}" y="${y}" dominant-baseline="middle" fill="#777777">${escapeXml(chart.mark.label)}</text>`,
    );
  }
  for (const [index, { name, points }] of lines.entries()) {
    const color = COLORS[index % COLORS.length] ?? "#000000";
    const path = points.map(({ x, y }) => `${atX(x)},${atY(y)}`).join(" ");
    const legendY = MARGIN.top + 30 + 18 * index;
    parts.push(
      `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="1.8"/>`,
      ...points.map(({ x, y }) => `<circle cx="${atX(x)}" cy="${atY(y)}" r="2.4" fill="${color}"/>`),
      `<rect x="${WIDTH - MARGIN.right + 24}" y="${legendY - 9}" width="12" height="4" fill="${color}"/>`,
      `<text x="${WIDTH - MARGIN.right + 42}" y="${legendY - 3}" fill="#222222">${escapeXml(name)}</text>`,
    );
  }
  return `${parts.join("\n")}\n</svg>\n`;
}

function averaged(points: readonly ChartPoint[]): ChartPoint[] {
  const byX = new Map<number, number[]>();
  for (const { x, y } of points) byX.set(x, [...(byX.get(x) ?? []), y]);
  return [...byX]
    .map(([x, ys]) => ({ x, y: ys.reduce((sum, y) => sum + y, 0) / ys.length }))
    .sort((a, b) => a.x - b.x);
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
