import { expect, test } from "vitest";
import { MISSING_BYTE } from "./matrix-scale.ts";
import { divergingLut, lutColour, parseColour, RAMPS, sequentialLut } from "./ramp-lut.ts";

/** Relative luminance of an entry, WCAG 2. */
function luminance(lut: Uint32Array, byte: number): number {
  const [red = 0, green = 0, blue = 0] = parseColour(lutColour(lut, byte)).map((channel) => {
    const share = channel / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test("every ramp has 255 opaque colours and a transparent entry for what is missing", () => {
  for (const ramp of RAMPS) {
    const lut = sequentialLut(ramp, "dark");
    expect(lut).toHaveLength(256);
    expect(lut[MISSING_BYTE]).toBe(0);
    for (let byte = 0; byte < MISSING_BYTE; byte++) expect((lut[byte] ?? 0) >>> 24).toBe(255);
  }
});

test("more is always farther from the background: lighter on dark, darker on light", () => {
  for (const ramp of RAMPS) {
    const dark = sequentialLut(ramp, "dark");
    const light = sequentialLut(ramp, "light");
    for (let byte = 16; byte < MISSING_BYTE; byte += 16) {
      expect(luminance(dark, byte)).toBeGreaterThan(luminance(dark, byte - 16));
      expect(luminance(light, byte)).toBeLessThan(luminance(light, byte - 16));
    }
  }
});

test("the diverging ramp has its stops at both ends and in the middle", () => {
  const lut = divergingLut(["#56b4e9", "#2f6f96", "#1a2028", "#9a5a1e", "#ff9f45"]);
  expect(lutColour(lut, 0)).toBe("#56b4e9");
  expect(lutColour(lut, 127)).toBe("#1a2028");
  expect(lutColour(lut, 254)).toBe("#ff9f45");
});

test("a text that is not a colour is refused by name", () => {
  expect(() => parseColour("hotpink")).toThrow("not a colour: hotpink");
});
