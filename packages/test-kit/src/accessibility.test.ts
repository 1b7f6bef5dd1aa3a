import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFaultsInAllViews } from "./accessibility.ts";
import { openBrowser } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const page = (css: string) => `<!doctype html><html lang="en"><title>Colours</title>
  <style>:root { color-scheme: light dark } ${css}</style>
  <body><main><h1>Colours</h1><p>Readable in both.</p></main></body>`;

test("checks colours when their transition has ended", async () => {
  const tab = await browser.newPage();
  await tab.setContent(
    page(`
    p { color: #222; background: #fff; transition: color .6s linear, background-color .6s linear }
    @media (prefers-color-scheme: dark) { body { background: #111; color: #eee } p { color: #eee; background: #111 } }`),
  );
  expect(await findFaultsInAllViews(tab)).toEqual([]);
  await tab.close();
});

test("reports text with low contrast, with the view in which it has it", async () => {
  const tab = await browser.newPage();
  await tab.setContent(page("@media (prefers-color-scheme: dark) { p { color: #555; background: #444 } }"));
  const faults = await findFaultsInAllViews(tab);
  expect(faults).toHaveLength(2);
  expect(faults.every((fault) => /^dark at \d+: color-contrast: .*Readable/.test(fault))).toBe(true);
  await tab.close();
});
