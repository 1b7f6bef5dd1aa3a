/** The console in a real browser, for users who logged in at their tenant. */
import { type ApiServer, account_id, startApiServer } from "@tenantry/edge/testing/api";
import { collectConsoleErrors } from "@tenantry/test-kit/browser";
import type { BrowserContextOptions, Page } from "playwright-core";
import { insertClientUser } from "#database/testing/fixtures.ts";
import { DOCTOR_PATH, type DoctorReport } from "#workers/contracts/tenant/doctor.ts";
import { EGRESS_PATH, type EgressReport } from "#workers/contracts/tenant/egress.ts";
import type { InboxPage } from "#workers/contracts/tenant/inbox.ts";
import { entryTicket } from "#workers/dashboard/testing/console-login.ts";
import { type InstancePages, startInstancePages } from "#workers/dashboard/testing/start-instance-pages.ts";

export interface OpenedConsole {
  page: Page;
  /** Script errors and violations of the content security policy. */
  complaints: string[];
  /** Requests that were refused, as `status method path`. */
  refused: string[];
  close(): Promise<void>;
}

export interface ConsolePages extends InstancePages {
  /** Cloudflare's API, with the AI gateways' logs and the analytics. */
  cloudflare: ApiServer;
  /** Adds a user of a tenant. */
  addUser(client: string, instance: string, email: string, role: "ADMIN" | "BASE_USER"): Promise<string>;
  /** Logs in at a tenant, and opens a page of its console. @param page last part of its address */
  enter(slug: string, email: string, page?: string, options?: BrowserContextOptions): Promise<OpenedConsole>;
}

/** @param texts bindings of the dashboard that differ from the default */
export async function startConsole(texts: Parameters<typeof startInstancePages>[0] = {}): Promise<ConsolePages> {
  const cloudflare = await startApiServer();
  const pages = await startInstancePages({
    CF_ACCOUNT_ID: account_id,
    CLOUDFLARE_API_URL: cloudflare.url,
    ANALYTICS_TOKEN: cloudflare.apiToken,
    ...texts,
  });
  return {
    ...pages,
    cloudflare,
    async stop() {
      await pages.stop();
      await cloudflare.close();
    },
    answerAsUsual() {
      pages.answerAsUsual();
      const status = { pending: 0, dead: 0, limit: 1_000 };
      pages.tenants.answers.set("/api/internal/inbox?limit=50", { body: { messages: [], status } satisfies InboxPage });
      pages.tenants.answers.set(DOCTOR_PATH, { body: { findings: [] } satisfies DoctorReport });
      const report = {
        revision: null,
        mode: "open",
        restartRequired: false,
        gaps: [],
        hosts: [],
      } satisfies EgressReport;
      pages.tenants.answers.set(EGRESS_PATH, { body: report });
    },
    addUser: (client_id, instance, email, role) =>
      insertClientUser(pages.database.db, { client_id, email, role, status: "validated" }, [instance]),
    async enter(slug, email, wanted = "", options = {}) {
      const context = await pages.browser.newContext({ timezoneId: "Europe/Berlin", ...options });
      const page = await context.newPage();
      const complaints = collectConsoleErrors(page);
      const refused: string[] = [];
      page.on("response", (response) => {
        const { pathname } = new URL(response.url());
        if (response.status() >= 400) refused.push(`${response.status()} ${response.request().method()} ${pathname}`);
      });
      const at = (path: string) => new URL(`/console/${slug}/${path}`, pages.front.url).href;
      await page.goto(at(`enter?ticket=${await entryTicket(slug, email)}`));
      if (wanted !== "") await page.goto(at(wanted));
      return { page, complaints, refused, close: () => context.close() };
    },
  };
}
