/** Helpers of the frame's tests. */
import type { Page } from "playwright-core";
import { insertClient } from "#database/testing/fixtures.ts";
import { type PagesUnderTest, startPages } from "../../../testing/start-pages.ts";

/** Enough for a busy machine. */
export const SOON = { timeout: 40_000 };

/** Starts the pages with the clients Umbrella of the partner north and Hooli of the partner south. */
export async function startFrame(): Promise<PagesUnderTest> {
  const pages = await startPages();
  const { db } = pages.database;
  await insertClient(db, { slug: "umbrella", name: "Umbrella", partner_id: pages.partners.north });
  await insertClient(db, { slug: "hooli", name: "Hooli", partner_id: pages.partners.south });
  return pages;
}

export const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1, exact: true });
export const palette = (page: Page) => page.getByRole("dialog", { name: "Search or go to" });
export const indicator = (page: Page, name: string) => page.getByRole("status").filter({ hasText: name });

/** Opens the palette, types and opens the first result. */
export async function goTo(page: Page, letters: string, result: RegExp, open = () => page.keyboard.press("Control+k")) {
  await open();
  await palette(page).locator("input:focus").waitFor();
  await page.keyboard.type(letters);
  await palette(page).locator("[role=option][data-highlighted]").filter({ hasText: result }).waitFor();
  await page.keyboard.press("Enter");
}
