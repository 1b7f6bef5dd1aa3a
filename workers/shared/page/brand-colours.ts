/** Which of a partner's colours a page may use: where they can be read, or seen, beside what they stand on; else the platform's. */
import { contrast, READABLE, VISIBLE } from "#domain/contrast.ts";
import type { BrandColours } from "#workers/contracts/branding.ts";
import { TOKENS } from "./tokens.ts";

const WHITE = "#ffffff";
/** One of the two can be read on any colour. */
const BLACK = "#000000";

/** What of a page is the brand's, in one scheme. */
export interface BrandScheme {
  /** Of what is pressed first, and what is written on it. */
  fill: string;
  onFill: string;
  /** Of links in the text. */
  link: string;
  /** Behind everything; what is written on it, and the brand's name there. */
  ground: string;
  onGround: string;
  name: string;
  /** Behind the logo, which was made for the partner's own background; undefined where the ground does. */
  plate: string | undefined;
}

/** In light, and in dark. */
export function brandSchemes(colours: BrandColours): { light: BrandScheme; dark: BrandScheme } {
  return { light: schemeOf(colours, 0), dark: schemeOf(colours, 1) };
}

function schemeOf({ accent, background, text }: BrandColours, at: 0 | 1): BrandScheme {
  const card = TOKENS.card[at];
  const isSeen = accent !== undefined && contrast(accent, card) >= VISIBLE;
  const isRead = accent !== undefined && contrast(accent, card) >= READABLE;
  const isPair = background !== undefined && text !== undefined && contrast(text, background) >= READABLE;
  // A light ground is none of a dark page's.
  const isGround = isPair && (at === 0 || contrast(TOKENS.text[at], background) >= READABLE);
  return {
    fill: isSeen ? accent : TOKENS.accent[at],
    onFill: isSeen ? readableOn(accent) : TOKENS["on-accent"][at],
    link: isRead ? accent : TOKENS.accent[at],
    ground: isGround ? background : TOKENS.ground[at],
    onGround: isGround ? text : TOKENS.quiet[at],
    name: isGround ? text : TOKENS.text[at],
    plate: at === 0 || isGround ? undefined : (background ?? WHITE),
  };
}

function readableOn(colour: string): string {
  return contrast(WHITE, colour) >= READABLE ? WHITE : BLACK;
}
