/** A real browser, from an npm package: nothing of the system is needed. */
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** Flags of the package that switch off what the tests are about: the browser's own security. */
const UNSAFE = /^--(disable-web-security|allow-running-insecure-content|disable-site-isolation-trials|single-process)/;

export async function openBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args.filter((flag) => !UNSAFE.test(flag)), "--disable-background-networking"],
    headless: true,
  });
}
