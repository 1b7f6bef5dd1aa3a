/** Colours of the partner in the console, where their contrast suffices. */
import type { Brand } from "#workers/contracts/brand.ts";
import { brandSchemes } from "#workers/shared/page/brand-colours.ts";

/** The content security policy forbids inline styles, but not the object model. */
export function applyBrand({ colours }: Pick<Brand, "colours">): void {
  if (colours.accent === undefined) return;
  const { light, dark } = brandSchemes(colours);
  const both = (of: (scheme: typeof light) => string) => `light-dark(${of(light)}, ${of(dark)})`;
  const { style } = document.documentElement;
  style.setProperty(
    "--accent",
    both(({ fill }) => fill),
  );
  style.setProperty(
    "--on-accent",
    both(({ onFill }) => onFill),
  );
  style.setProperty("--accent-soft", "color-mix(in srgb, var(--accent) 12%, var(--card))");
  // Readable on the soft accent of every brand.
  style.setProperty("--accent-strong", "var(--text)");
}
