import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { contrastRatio, READABLE, VISIBLE } from "#domain/contrast.ts";
import { brandSchemes } from "./brand-colours.ts";
import { TOKENS } from "./tokens.ts";

const PLATFORM = brandSchemes({});
const tokensSheet = new URL("../../dashboard/ui/styles/tokens.css", import.meta.url);

test("matches the colours of the dashboard's pages", () => {
  const css = readFileSync(tokensSheet, "utf8");
  for (const [name, [light, dark]] of Object.entries(TOKENS))
    expect(css).toContain(`  --${name}: light-dark(${light}, ${dark});`);
});

test("keeps text readable and buttons visible with any colours of a partner, in light and dark", () => {
  const colour = fc.option(
    fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`),
    { nil: undefined },
  );
  fc.assert(
    fc.property(fc.record({ accent: colour, background: colour, text: colour }), (colours) => {
      const { light, dark } = brandSchemes(colours);
      for (const [at, scheme] of [light, dark].entries()) {
        const card = TOKENS.card[at] ?? "";
        expect(contrastRatio(scheme.onFill, scheme.fill)).toBeGreaterThanOrEqual(READABLE);
        expect(contrastRatio(scheme.fill, card)).toBeGreaterThanOrEqual(VISIBLE);
        expect(contrastRatio(scheme.link, card)).toBeGreaterThanOrEqual(READABLE);
        expect(contrastRatio(scheme.onGround, scheme.ground)).toBeGreaterThanOrEqual(READABLE);
        expect(contrastRatio(scheme.name, scheme.ground)).toBeGreaterThanOrEqual(READABLE);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("uses a partner's colours where their contrast suffices, and the platform's elsewhere", () => {
  const forest = { accent: "#0b6b3a", background: "#f3f8f1", text: "#123022" };
  const { light, dark } = brandSchemes(forest);
  expect(light).toEqual({
    fill: "#0b6b3a",
    onFill: "#ffffff",
    link: "#0b6b3a",
    ground: "#f3f8f1",
    onGround: "#123022",
    name: "#123022",
    plate: undefined,
  });
  // Too dark for a dark page, except behind the logo.
  expect(dark).toEqual({ ...PLATFORM.dark, plate: "#f3f8f1" });

  const night = brandSchemes({ accent: "#ffb000", background: "#101426", text: "#f5f5f5" });
  expect(night.dark).toMatchObject({ fill: "#ffb000", onFill: "#000000", ground: "#101426", plate: undefined });
  expect(night.light).toMatchObject({ fill: PLATFORM.light.fill, ground: "#101426", onGround: "#f5f5f5" });

  const unreadable = brandSchemes({ background: "#777777", text: "#888888" });
  expect(unreadable.light).toEqual(PLATFORM.light);
  expect(brandSchemes({ background: "#123456" }).light.ground).toBe(PLATFORM.light.ground);
});
