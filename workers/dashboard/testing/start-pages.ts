/** The dashboard's pages in a real browser, with the deployed Worker and its database, and a user of each role. */

import { findAccessibilityFaults } from "@tenantry/test-kit/accessibility";
import { collectConsoleErrors, openBrowser } from "@tenantry/test-kit/browser";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { markDelivered, undeliveredEvents } from "#database/work/events.ts";
import { LIVE_PUSH_PATH } from "#domain/access/access-addresses.ts";
import { LIVE_EVENTS_LIMIT, type LiveEvents } from "#workers/contracts/live.ts";
import { type ApiUnderTest, type As, startApi } from "./start-api.ts";
import { AUDIENCE, LIVE_TOKEN } from "./start-dashboard.ts";

export interface OpenedPage {
  page: Page;
  context: BrowserContext;
  /** Script errors and violations of the content security policy. */
  complaints: string[];
  /** Changes the logged-in user from the next request on. */
  become(as: As): Promise<void>;
  close(): Promise<void>;
}

export { findAccessibilityFaults };

export interface PagesUnderTest extends ApiUnderTest {
  browser: Browser;
  /** Opens a page as a logged-in user. Default of `baseURL`: workerd's address. */
  open(as: As, path: string, options?: Parameters<Browser["newContext"]>[0]): Promise<OpenedPage>;
  /** Delivers new events to open pages, as the automation service does. */
  pushEvents(): Promise<void>;
}

/** @param texts bindings that differ from the default */
export async function startPages(...texts: Parameters<typeof startApi>): Promise<PagesUnderTest> {
  const api = await startApi(...texts);
  const browser = await openBrowser();
  return {
    ...api,
    browser,
    async open(as, path, options) {
      const base = options?.baseURL ?? api.url.href;
      const context = await browser.newContext(options);
      const become = async (who: As) => {
        const token = await api.access.token({ email: api.emails[who], aud: [AUDIENCE] });
        await context.addCookies([{ name: "CF_Authorization", value: token, url: base, httpOnly: true }]);
      };
      await become(as);
      const page = await context.newPage();
      const complaints = collectConsoleErrors(page);
      await page.goto(new URL(path, base).href);
      return { page, context, complaints, become, close: () => context.close() };
    },
    async pushEvents() {
      const events = (await undeliveredEvents(api.database.db, LIVE_EVENTS_LIMIT)).map((event) => ({
        ...event,
        at: event.at.toISOString(),
      }));
      const ids = events.map(({ id }) => id);
      const { status } = await api.fetch(LIVE_PUSH_PATH, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${LIVE_TOKEN}` },
        body: JSON.stringify({ last: Math.max(...ids), events } satisfies LiveEvents),
      });
      if (status !== 204) throw new Error(`Failed to deliver events: HTTP ${status}.`);
      await markDelivered(api.database.db, ids);
    },
    async stop() {
      await browser.close();
      await api.stop();
    },
  };
}
