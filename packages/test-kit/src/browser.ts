/** A browser from an npm package: it needs nothing of the system. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { withLock } from "@tenantry/std/file-lock";
import { type Browser, type Page, chromium as playwright } from "playwright-core";

/** Flags of the package that switch off the security of the browser, which tests cover. */
const UNSAFE = /^--(disable-web-security|allow-running-insecure-content|disable-site-isolation-trials|single-process)/;

chromium.setGraphicsMode = false;

let shared: Promise<Browser> | undefined;

/**
 * Opens a browser for one test file. Files of a vitest worker share its process, which is slow to start; `close` closes what was opened in
 * the browser. Outside vitest each caller gets its own process.
 */
export async function openBrowser(): Promise<Browser> {
  if (process.env.VITEST === undefined) return launchBrowser();
  shared ??= launchBrowser();
  const browser = await shared;
  const close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return Object.create(browser, { close: { value: close } });
}

async function launchBrowser(): Promise<Browser> {
  return playwright.launch({
    // The package unpacks the browser on the first call; others must not start it half written.
    executablePath: await withLock(join(tmpdir(), "chromium.lock"), () => chromium.executablePath()),
    args: [...chromium.args.filter((flag) => !UNSAFE.test(flag)), "--disable-background-networking", "--disable-gpu"],
    headless: true,
  });
}

/** Submits the login page of Access, which must be open. */
export async function logIn(page: Page, email: string): Promise<void> {
  await page.getByLabel(/e-?mail/i).fill(email);
  await page.getByRole("button").first().click();
}

/** Collects console errors and warnings from now on: errors of scripts, and what the page's content security policy blocks. */
export function collectConsoleErrors(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => void complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  return complaints;
}
