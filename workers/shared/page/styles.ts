import type { Brand } from "#workers/contracts/brand.ts";
import { brandSchemes } from "./brand-colours.ts";
import { TOKENS } from "./tokens.ts";

const both = (light: string, dark: string) => `light-dark(${light}, ${dark})`;

/** Returns the colours as custom properties. A brand's colours are validated. */
export function colourSheet({ colours }: Pick<Brand, "colours">): string {
  const { light, dark } = brandSchemes(colours);
  const properties = {
    ...Object.fromEntries(Object.entries(TOKENS).map(([name, [inLight, inDark]]) => [name, both(inLight, inDark)])),
    accent: both(light.fill, dark.fill),
    "on-accent": both(light.onFill, dark.onFill),
    link: both(light.link, dark.link),
    ground: both(light.ground, dark.ground),
    "on-ground": both(light.onGround, dark.onGround),
    name: both(light.name, dark.name),
    plate: both(light.plate ?? "transparent", dark.plate ?? "transparent"),
  };
  const lines = Object.entries(properties).map(([name, value]) => `  --${name}: ${value};`);
  return `:root {\n  color-scheme: light dark;\n${lines.join("\n")}\n}\n`;
}

export const CARD_SHEET = `
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { font: 16px/1.55 "Inter", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
.page { display: flex; flex-direction: column; gap: 1.25rem; width: 100%; max-width: 34rem; min-height: 100vh; min-height: 100dvh; margin: 0 auto; padding: clamp(1.25rem, 5vh, 5rem) 1rem 1.5rem; }
.brand { display: flex; align-items: center; min-height: 2.5rem; padding: 0 0.25rem; color: var(--name); font-size: 1.05rem; font-weight: 650; letter-spacing: -0.01em; }
.plate { display: inline-flex; }
.logo { display: block; width: auto; height: 2.25rem; max-width: 14rem; object-fit: contain; object-position: left center; }
main { padding: clamp(1.5rem, 6vw, 2.25rem); border: 1px solid var(--line); border-radius: 0.9rem; background: var(--card); box-shadow: 0 1px 2px rgb(15 23 42 / 0.05); }
.badge { display: grid; place-items: center; width: 2.75rem; height: 2.75rem; margin-bottom: 1.1rem; border-radius: 50%; }
.badge svg { width: 1.35rem; height: 1.35rem; }
.good { background: var(--good-soft); color: var(--good); }
.busy { background: var(--busy-soft); color: var(--busy); }
.bad { background: var(--bad-soft); color: var(--bad); }
.info { background: var(--info-soft); color: var(--info); }
h1 { margin: 0; font-size: 1.4rem; font-weight: 650; line-height: 1.3; letter-spacing: -0.015em; }
h2 { margin: 1.6rem 0 0.45rem; color: var(--quiet); font-size: 0.85rem; font-weight: 600; }
p { margin: 0.6rem 0 0; color: var(--soft); }
strong { color: var(--text); font-weight: 600; }
.next { margin: 0; padding: 0 0 0 1.1rem; color: var(--soft); }
.next li + li { margin-top: 0.35rem; }
.next li::marker { color: var(--line-strong); }
.quiet { margin-top: 1.1rem; color: var(--quiet); font-size: 0.9rem; }
.row { display: flex; flex-wrap: wrap; gap: 0.65rem; margin-top: 1.6rem; }
main a { color: var(--link); text-underline-offset: 0.15em; }
.button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: 0.5rem 1.2rem; border: 1px solid var(--line-strong); border-radius: 0.55rem; background: var(--card); color: var(--text); font: inherit; font-weight: 550; text-decoration: none; cursor: pointer; }
.button:hover { background: var(--sunken); }
main .button { color: var(--text); }
main .primary { border-color: transparent; background: var(--accent); color: var(--on-accent); }
main .primary:hover { background: var(--accent); text-decoration: underline; }
:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; border-radius: 0.2rem; }
.button:focus-visible { outline-color: var(--text); border-radius: 0.55rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.5rem 1.25rem; margin: 1.4rem 0 0; padding: 1rem 0; border: solid var(--line); border-width: 1px 0; }
dt { color: var(--quiet); }
dd { margin: 0; }
code { font: 0.9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
footer { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 1.25rem; margin-top: auto; padding: 0 0.25rem; color: var(--on-ground); font-size: 0.875rem; }
footer a { color: inherit; }
@media (prefers-color-scheme: dark) {
  .plate { margin-left: -0.25rem; padding: 0.35rem 0.6rem; border-radius: 0.5rem; background: var(--plate); }
}
@media (max-width: 26rem) {
  .row .button { flex: 1 1 100%; }
  dl { grid-template-columns: 1fr; gap: 0.15rem; }
  dd + dt { margin-top: 0.6rem; }
}
`;
