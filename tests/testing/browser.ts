/** The browser of the tests, and what people do in it first. */
import type { Page } from "playwright-core";

export { openBrowser } from "../../local/screenshots/browser.ts";

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
