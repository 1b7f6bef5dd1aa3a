/** Selects a partner's colours where their contrast suffices, else the platform's. */
import { contrastRatio, READABLE, VISIBLE } from "#domain/contrast.ts";
import type { BrandColours } from "#workers/contracts/branding.ts";
import { TOKENS } from "./tokens.ts";

const WHITE = "#ffffff";
/** White or black is readable on any colour. */
const BLACK = "#000000";

export interface BrandScheme {
  fill: string;
  onFill: string;
  link: string;
  ground: string;
  onGround: string;
  name: string;
  /** Background of the logo, if the page background does not suit it. */
  plate: string | undefined;
}

export function brandSchemes(colours: BrandColours): { light: BrandScheme; dark: BrandScheme } {
  return { light: schemeOf(colours, 0), dark: schemeOf(colours, 1) };
}

function schemeOf({ accent, background, text }: BrandColours, at: 0 | 1): BrandScheme {
  const card = TOKENS.card[at];
  const isVisible = accent !== undefined && contrastRatio(accent, card) >= VISIBLE;
  const isReadable = accent !== undefined && contrastRatio(accent, card) >= READABLE;
  const isPair = background !== undefined && text !== undefined && contrastRatio(text, background) >= READABLE;
  // Excludes a light background from the dark scheme.
  const isGround = isPair && (at === 0 || contrastRatio(TOKENS.text[at], background) >= READABLE);
  return {
    fill: isVisible ? accent : TOKENS.accent[at],
    onFill: isVisible ? readableOn(accent) : TOKENS["on-accent"][at],
    link: isReadable ? accent : TOKENS.accent[at],
    ground: isGround ? background : TOKENS.ground[at],
    onGround: isGround ? text : TOKENS.quiet[at],
    name: isGround ? text : TOKENS.text[at],
    plate: at === 0 || isGround ? undefined : (background ?? WHITE),
  };
}

function readableOn(colour: string): string {
  return contrastRatio(WHITE, colour) >= READABLE ? WHITE : BLACK;
}
