/** The browser of the tests, and what people do in it first. */
import type { Browser, Page } from "playwright-core";
import { openBrowser as launch } from "./chromium.ts";

let launched: Promise<Browser> | undefined;

/**
 * A browser for one test file. Files of a worker share its process, which takes as long to start as some pages take to test and ends with
 * the worker. `close` closes what was opened in it. Outside of vitest nothing ends a shared process, so that each caller gets its own.
 */
export async function openBrowser(): Promise<Browser> {
  if (process.env.VITEST === undefined) return launch();
  launched ??= launch();
  const browser = await launched;
  const close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return Object.create(browser, { close: { value: close } });
}

/** Fills in the log-in page of Access, which is open. */
export async function logIn(page: Page, email: string): Promise<void> {
  await page.getByLabel(/e-?mail/i).fill(email);
  await page.getByRole("button").first().click();
}

/** What the browser complains of from now on: errors of scripts, and all that the page's policy forbids. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => void complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  return complaints;
}
