/** Starts the dashboard Worker as deployed, in workerd, with a real Postgres behind its Hyperdrive binding. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPooler } from "@tenantry/edge/testing/runtime";
import { Miniflare, type Response } from "@tenantry/edge/workerd";
import type { RequestInit } from "miniflare";
import { databaseAddress } from "#database/connection/address.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import type { Environment } from "#domain/environment.ts";
import { bundleWorker } from "#workers/bundle.ts";
import { type DashboardBindings, LIVE_CLASS, type TextNames, type TextValues } from "#workers/contracts/bindings.ts";
import { PAGE_FILES_PATH } from "#workers/contracts/pages.ts";
import { bundlePages } from "#workers/pages.ts";
import { type AccessTeam, startAccessTeam } from "#workers/shared/access/testing/access-team.ts";
import { LIVE_NAME } from "../live/calls.ts";

export const DOMAIN = "example.test";
export const PLATFORM_STACK = "organization/tenantry/prod";
export const LIVE_TOKEN = "live-token-of-a-test";
export const DOORS_KEY = "doors-key-of-a-test-with-48-letters-and-no-digits";
/** Nothing listens there. */
const NOWHERE = "http://127.0.0.1:9";
export const AUDIENCE = "audience-of-the-dashboard";

export interface DashboardUnderTest {
  access: AccessTeam;
  database: TestDatabase;
  /** URL of the pooler, by which the Worker reaches its database. */
  pooledUrl: string;
  /** Log lines of the Worker. */
  logs: string[];
  /** A request to the dashboard's host, from a logged-in user when `email` is given. */
  fetch(path: string, options?: RequestInit & { email?: string }): Promise<Response>;
  /** Address of workerd, for a browser or a raw request. */
  url: URL;
  /** Address of the Worker without Miniflare's proxy, for measurements. */
  direct: URL;
  /**
   * Evicts the object of live updates as the runtime does when it is idle. WebSockets stay open by default.
   *
   * @throws Error if the object does not run
   */
  evictLive(webSockets?: "hibernate" | "close"): Promise<void>;
  stop(): Promise<void>;
}

/** @param texts bindings that differ from the default @param environments of the database */
export async function startDashboard(
  texts: Partial<Record<TextNames<DashboardBindings>, string>> = {},
  environments?: readonly Environment[],
): Promise<DashboardUnderTest> {
  const { path, mainModule, compatibilityDate, compatibilityFlags } = await bundleWorker("dashboard");
  const pages = await bundlePages();
  const database = await startTestDatabase({ ...(environments && { environments }) });
  const access = await startAccessTeam();
  const pooler = await startPooler(() => databaseAddress(database.urlOf("dashboard")));
  const pooledUrl = pooler.connectionString("dashboard");
  const logs: string[] = [];
  // The server is stopped while the pool may still hold a client that is closing.
  database.pool.on("error", () => undefined);
  // Miniflare removes its own while workerd may still write there.
  const storage = await mkdtemp(join(tmpdir(), "dashboard-test-"));
  const miniflare = new Miniflare({
    host: "127.0.0.1",
    logRequests: false,
    cachePersist: join(storage, "cache"),
    structuredWorkerdLogs: true,
    handleStructuredLogs: ({ message }: { message: string }) => void logs.push(message),
    name: "dashboard",
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    modules: [{ type: "ESModule", path: mainModule, contents: await readFile(join(path, mainModule), "utf8") }],
    compatibilityDate,
    compatibilityFlags,
    durableObjectsPersist: join(storage, "objects"),
    durableObjects: { LIVE: { className: LIVE_CLASS, useSQLite: true } },
    hyperdrives: { DB: pooledUrl },
    r2Buckets: { LOGOS: "logos" },
    r2Persist: join(storage, "r2"),
    assets: {
      directory: pages.path,
      binding: "ASSETS",
      routerConfig: {
        has_user_worker: true,
        static_routing: { user_worker: ["/*"], asset_worker: [`${PAGE_FILES_PATH}/*`] },
      },
      assetConfig: { html_handling: "none", not_found_handling: "none" },
    },
    bindings: {
      ENVIRONMENT: "production",
      PLATFORM_DOMAIN: DOMAIN,
      ACCESS_ISSUER: access.issuer,
      ACCESS_AUD: AUDIENCE,
      CF_ACCOUNT_ID: "account",
      CLOUDFLARE_API_URL: NOWHERE,
      ANALYTICS_DATASET: "tenantry",
      ANALYTICS_TOKEN: "token",
      SERVICE_TOKENS_TOKEN: "token",
      PLATFORM_STACK,
      LIVE_TOKEN,
      DOORS_KEY,
      CHANNEL_APIS: JSON.stringify({ telegram: NOWHERE, slack: NOWHERE }),
      ...texts,
    } satisfies TextValues<DashboardBindings>,
  });
  const stop = async () => {
    await miniflare.dispose();
    await rm(storage, { recursive: true });
    await Promise.all([access.stop(), pooler.stop()]);
    await database.stop();
  };
  try {
    const url = await miniflare.ready;
    const direct = await miniflare.unsafeGetDirectURL("dashboard");
    // The login is kept, as in a browser.
    const logIns = new Map<string, Promise<string>>();
    const logIn = (email: string) => {
      const token = logIns.get(email) ?? access.token({ email, aud: [AUDIENCE] });
      logIns.set(email, token);
      return token;
    };
    const fetch: DashboardUnderTest["fetch"] = async (at, { email, headers, ...init } = {}) => {
      const token = email === undefined ? {} : { cookie: `CF_Authorization=${await logIn(email)}` };
      return miniflare.dispatchFetch(`https://dash.${DOMAIN}:8443${at}`, {
        redirect: "manual",
        ...init,
        headers: { ...token, ...(headers as Record<string, string>) },
      });
    };
    const evictLive: DashboardUnderTest["evictLive"] = (webSockets = "hibernate") =>
      miniflare.unsafeEvictDurableObject("dashboard", LIVE_CLASS, { name: LIVE_NAME, webSockets });
    return { access, database, pooledUrl, logs, fetch, url, direct, evictLive, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
