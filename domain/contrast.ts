/** Contrast of colours (WCAG 2.2, "relative luminance" and "contrast ratio"). */

/** Least contrast of text (WCAG 2.2, 1.4.3). */
export const READABLE = 4.5;
/** Least contrast of lines and other graphics (WCAG 2.2, 1.4.11). */
export const VISIBLE = 3;

const COLOUR = /^#[0-9a-f]{6}$/i;

export const isColour = (text: string): boolean => COLOUR.test(text);

function relativeLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colours as `#rrggbb`, from 1 to 21. */
export function contrastRatio(one: string, other: string): number {
  const [dark = 0, light = 0] = [relativeLuminance(one), relativeLuminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
