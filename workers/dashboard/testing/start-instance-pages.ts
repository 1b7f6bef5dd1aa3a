/** The dashboard's pages and tenants' hosts on one port, with tenants that respond as configured. */
import type { Page } from "playwright-core";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import type { HealthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { INVALIDATE_TOKEN, startDispatch, tenant } from "#workers/dispatch/testing/start-dispatch.ts";
import { type HostFront, startHostFront } from "./host-front.ts";
import { type PagesUnderTest, startPages } from "./start-pages.ts";
import { type TenantStandIn, tenantStandIn } from "./tenant-stand-in.ts";

/** The domain of tenants. Browsers resolve it to this machine. */
export const DOMAIN = "tenantry.localhost";
export const HEALTH = "/api/health?passive=1";
export const ADMIN = "/api/admin/gateway";

export interface InstancePages extends PagesUnderTest {
  tenants: TenantStandIn;
  front: HostFront;
  /** Makes tenants respond as healthy again. */
  answerAsUsual(): void;
  /** A tenant of the partner north, managed by the dashboard by default. */
  made(
    slug: string,
    more?: Parameters<typeof insertInstance>[2],
    plan?: string,
  ): Promise<{ client: string; instance: string; path: string }>;
}

/** @param texts bindings of the dashboard that differ from the default */
export async function startInstancePages(texts: Parameters<typeof startPages>[0] = {}): Promise<InstancePages> {
  const domain = { PLATFORM_DOMAIN: DOMAIN };
  const tenants = tenantStandIn();
  const { CLOUDFLARE_API_URL, CF_ACCOUNT_ID, ANALYTICS_TOKEN: AI_GATEWAY_LOGS_TOKEN } = texts;
  const cloudflare =
    CLOUDFLARE_API_URL && CF_ACCOUNT_ID && AI_GATEWAY_LOGS_TOKEN
      ? { CLOUDFLARE_API_URL, CF_ACCOUNT_ID, AI_GATEWAY_LOGS_TOKEN }
      : {};
  const dispatch = await startDispatch({ ...domain, ...cloudflare }, { tenant: tenants.answer });
  const pages = await startPages({ ...domain, DISPATCH_URL: dispatch.url.href, INVALIDATE_TOKEN, ...texts });
  const front = await startHostFront((host) => (host.endsWith(DOMAIN) ? dispatch.url : pages.url));
  return {
    ...pages,
    tenants,
    front,
    open: (as, path, options) =>
      pages.open(as, path, { baseURL: front.url.href, timezoneId: "Europe/Berlin", ...options }),
    answerAsUsual() {
      tenants.answers.clear();
      tenants.asked.length = 0;
      tenants.streamsAt = undefined;
      for (const [path, body] of Object.entries(usual())) tenants.answers.set(path, { body });
    },
    async made(slug, more = {}, plan = "pro") {
      const name = `${slug.charAt(0).toUpperCase()}${slug.slice(1)}`;
      const client = await insertClient(pages.database.db, {
        ...{ slug, name, owner: more.owner ?? null, billing_plan: plan, partner_id: pages.partners.north },
        managed_by: more.managed_by ?? "dashboard",
      });
      const row = { worker_name: `tenant-${slug}`, managed_by: "dashboard", ...more };
      const instance = await insertInstance(pages.database.db, client, row);
      dispatch.rest.tenants.set(slug, tenant(slug));
      return { client, instance, path: `/clients/${client}/instance` };
    },
    async stop() {
      await front.stop();
      await pages.stop();
      await dispatch.stop();
    },
  };
}

const probe = (ok: boolean, latencyMs = 12) => ({
  ok,
  status: ok ? ("success" as const) : ("failure" as const),
  latencyMs,
  ...(!ok && { error: "It is away." }),
});
export function snapshot(startup: boolean, readiness: boolean, liveness: boolean): HealthSnapshot {
  return {
    ts: new Date().toISOString(),
    startup: probe(startup, 0),
    readiness: probe(readiness, 31),
    liveness: probe(liveness, 7),
    restoreStatus: { hadBackup: true, restored: true },
    status: readiness ? "running" : liveness ? "starting" : "stopped",
  };
}

const stateEntry = (name: string, kind: string, secret = false) => {
  return { name, kind, bytes: 8, modifiedAt: "2026-11-23T09:00:00.000Z", secret };
};

/** A text file of the state. @param hash one character */
export const textOf = (text: string, hash: string) => {
  return { text, hash: hash.repeat(64), bytes: text.length, modifiedAt: "2026-11-23T09:00:00.000Z", redacted: false };
};

function usual(): Record<string, unknown> {
  const gateway = { name: "openclaw", version: "2026.9.6" };
  const backups = [
    {
      ...{ id: "b2", createdAt: "2026-11-23T09:15:00.000Z", bytes: 52_000_000, gateway, kept: true },
      origin: { reason: "requested", by: "ada@acme.test", role: "ADMIN" },
    },
    { id: "b1", createdAt: "2026-11-22T18:00:00.000Z", bytes: 48_000_000, gateway },
  ];
  return {
    [HEALTH]: snapshot(true, true, true),
    [`${ADMIN}/status`]: {
      ts: "2026-11-23T10:00:00.000Z",
      sandbox: "awake",
      memory: { usedBytes: 730e6, totalBytes: 1e9 },
      disk: { usedBytes: 1.2e9, totalBytes: 8e9 },
      warnings: [],
      sleep: { afterSeconds: 7200, remainingSeconds: 0, keptAwake: { reason: "channels", details: "2 connected" } },
    },
    [`${ADMIN}/backups`]: { state: "known", backups, damaged: [], retention: { count: 96, days: 30, kept: 5 } },
    [`${ADMIN}/backups/b2/changes`]: {
      count: 1,
      first: [{ path: "workspace/NEW.md", modifiedAt: "2026-11-23T09:30:00.000Z" }],
    },
    [`${ADMIN}/files?path=`]: {
      entries: [stateEntry("workspace", "directory"), stateEntry("openclaw.json", "file", true)],
      truncated: false,
    },
    [`${ADMIN}/files?path=workspace`]: { entries: [stateEntry("MEMORY.md", "file")], truncated: false },
    [`${ADMIN}/files/content?path=workspace%2FMEMORY.md`]: textOf("one\ntwo\n", "a"),
    [`${ADMIN}/log`]: { lines: ["one", "two"] },
  };
}

/** Whether the browser says this of streams that are refused, and of calls that a test has refused. */
export const isExpected = (complaint: string) => /WebSocket|503|409|502|412/.test(complaint);
export const heading = (page: Page, name: string) => page.getByRole("heading", { name });
/** Selects an entry of the menu beside the title. */
export async function chooseOfMore(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name }).click();
}
