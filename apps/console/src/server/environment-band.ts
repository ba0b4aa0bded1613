import "server-only";
import { env } from "#env.ts";

/** Name and colour of the environment, always visible at the top of every page. */
export interface EnvironmentBand {
  readonly name: string;
  /** `#rrggbb`, null for the theme's own. */
  readonly colour: string | null;
  /** Black or white, whichever reads better on the colour. */
  readonly ink: string | null;
}

export function environmentBand(): EnvironmentBand {
  const { CONSOLE_ENVIRONMENT: name, CONSOLE_ENVIRONMENT_COLOUR: colour } = env();
  return { name, colour: colour ?? null, ink: colour === undefined ? null : inkOn(colour) };
}

/** WCAG relative luminance decides between dark and light ink. */
function inkOn(colour: string): string {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#ffffff";
}
