import axe from "axe-core";
import type { Page } from "playwright-core";

/** Waits until all finite animations have ended: axe would check the colours between two states. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    const finite = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(finite.map(({ finished }) => finished));
  });

const CRITERIA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Returns the violations of WCAG 2.2 AA that axe finds, one line per rule and element. */
export async function findAccessibilityFaults(page: Page): Promise<string[]> {
  await settle(page);
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async (criteria) => {
    const { axe: checker } = globalThis as unknown as { axe: typeof axe };
    // Details of elements without a violation take most of the time.
    const options = { runOnly: criteria, resultTypes: ["violations" as const], selectors: false };
    const { violations } = await checker.run(document, options);
    return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
  }, CRITERIA);
}

/** Light and dark, on a desktop and a phone. */
const VIEWS = (["light", "dark"] as const).flatMap((colorScheme) =>
  [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ].map((size) => ({ colorScheme, size })),
);

/** Returns {@link findAccessibilityFaults} in every view, and the views in which the page is wider than its window. */
export async function findFaultsInAllViews(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const { colorScheme, size } of VIEWS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    const found = [...(await findAccessibilityFaults(page)), ...(isWide ? ["scrolls sideways"] : [])];
    faults.push(...found.map((fault) => `${colorScheme} at ${size.width}: ${fault}`));
  }
  return faults;
}
