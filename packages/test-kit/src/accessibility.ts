/** Whether people can use a page who see, hear or move otherwise, as far as a machine can tell. */
import axe from "axe-core";
import type { Page } from "playwright-core";

/** Waits until nothing moves or fades but what does so for ever: a colour half way to another is none that was chosen. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });

/** What axe finds against WCAG 2.2 AA once the page has settled, a line a rule and element. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await settle(page);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }),
  );
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
}

/** The ways in which a page is looked at: light and dark, at a desk and on a phone. */
const LOOKS = (["light", "dark"] as const).flatMap((colorScheme) =>
  [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ].map((size) => ({ colorScheme, size })),
);

/** {@link accessibilityFaults} of a page in every look, and where it is wider than its window. */
export async function faultsInEveryLook(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const { colorScheme, size } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    const found = [...(await accessibilityFaults(page)), ...(isWide ? ["scrolls sideways"] : [])];
    faults.push(...found.map((fault) => `${colorScheme} at ${size.width}: ${fault}`));
  }
  return faults;
}
