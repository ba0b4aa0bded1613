import { interpolateCividis, interpolateViridis } from "d3-scale-chromatic";
import { MAX_BYTE } from "./matrix-scale.ts";

/** Ramps of absolute mode. All keep monotone lightness under simulated colour blindness. */
export const RAMPS = ["viridis", "cividis", "greyscale"] as const;
export type Ramp = (typeof RAMPS)[number];

/** 256 colours as the 32-bit words of an ImageData. Entry 255 (missing) is transparent: the hatch below shows. */
export type ColourLut = Uint32Array;

type Rgb = readonly [red: number, green: number, blue: number];

/** Reads `#rrggbb` or `rgb(r, g, b)`; anything else is an error, since a wrong colour would only look odd. */
export function parseColour(text: string): Rgb {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text.trim());
  if (hex) return [1, 2, 3].map((group) => Number.parseInt(hex[group] ?? "0", 16)) as unknown as Rgb; // three groups
  const rgb = /^rgb\(\s*(\d+)[,\s]+(\d+)[,\s]+(\d+)\s*\)$/.exec(text.trim());
  if (rgb) return [1, 2, 3].map((group) => Number(rgb[group])) as unknown as Rgb; // three groups
  throw new Error(`not a colour: ${text}`);
}

const grey = (position: number): string => {
  const level = Math.round(12 + 232 * position);
  return `rgb(${level}, ${level}, ${level})`;
};

const INTERPOLATORS: Record<Ramp, (position: number) => string> = {
  viridis: interpolateViridis,
  cividis: interpolateCividis,
  greyscale: grey,
};

const word = ([red, green, blue]: Rgb): number => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

/** Colours of absolute mode. More is farther from the background: the ramp as is on dark, reversed on light. */
export function sequentialLut(ramp: Ramp, theme: "dark" | "light"): ColourLut {
  const lut = new Uint32Array(256);
  for (let byte = 0; byte <= MAX_BYTE; byte++) {
    const position = byte / MAX_BYTE;
    lut[byte] = word(parseColour(INTERPOLATORS[ramp](theme === "dark" ? position : 1 - position)));
  }
  return lut;
}

/** Colours of divergence mode, byte 127 at the median, from five stops (coolest to hottest). */
export function divergingLut(stops: readonly string[]): ColourLut {
  const colours = stops.map(parseColour);
  const lut = new Uint32Array(256);
  for (let byte = 0; byte <= MAX_BYTE; byte++) {
    const at = (byte / MAX_BYTE) * (colours.length - 1);
    const lower = colours[Math.floor(at)];
    const upper = colours[Math.min(colours.length - 1, Math.floor(at) + 1)];
    if (!lower || !upper) throw new Error("a diverging ramp needs at least two stops");
    const share = at - Math.floor(at);
    const mixed = [0, 1, 2].map((c) => Math.round((lower[c] ?? 0) * (1 - share) + (upper[c] ?? 0) * share));
    lut[byte] = word(mixed as unknown as Rgb); // three channels
  }
  return lut;
}

/** `#rrggbb` of one entry, for legends. */
export function lutColour(lut: ColourLut, byte: number): string {
  const value = lut[byte] ?? 0;
  const channels = [value & 255, (value >> 8) & 255, (value >> 16) & 255];
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
