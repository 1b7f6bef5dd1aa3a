import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import type { Product } from "@tenantry/edge";
import { listen } from "@tenantry/std/listening";
import Cloudflare from "cloudflare";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Environment } from "#domain/environment.ts";
import { PERMISSIONS } from "#fleet/preflight/checks/permissions.ts";
import type { CheckResult, PreflightReport } from "#fleet/preflight/report.ts";
import { scratchRepository } from "#fleet/testing/repository.ts";
import { ACCOUNT_ID, DOMAIN } from "#local/account.ts";
import type { Edge } from "#local/edge.ts";
import { programEnvironment } from "#local/start/project.ts";
import { environmentSettings, openEdge, openPlatform, platformSettings, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";
import { type ApiProxy, startApiProxy } from "./testing/api-proxy.ts";
import { createToken } from "./testing/doctor-steps.ts";
import { killFleets, runFleet } from "./testing/fleet-run.ts";

/** With a platform of production, which the stack `whole` deployed; the other stacks have never been deployed. */
let edge: Edge;
let close: () => Promise<void>;
let proxy: ApiProxy;
beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  proxy = await startApiProxy(edge);
  await stackOf(edge, environmentSettings("development", []), "dev");
});
afterAll(async () => {
  killFleets();
  await proxy.close();
  await close();
});

const api = () => new Cloudflare({ apiToken: edge.apiToken, baseURL: edge.apiUrl, maxRetries: 0 });
const GATEWAY = {
  ...{ authentication: false, cache_ttl: 0, cache_invalidate_on_update: false, collect_logs: true },
  ...{ rate_limiting_interval: 0, rate_limiting_limit: 0 },
};
const R2_READ = "b4992e1108244f5d8bfbd5744320c2e1";

type Settings = Record<string, unknown>;

interface Given {
  stack?: string;
  environment?: Environment;
  settings?: Settings;
  variables?: NodeJS.ProcessEnv;
  at?: Edge;
}

/** Runs the command. Default: for a new stack of development. */
async function preflight({ stack = "dev", environment = "development", settings, variables, at = edge }: Given = {}) {
  const { directory } = scratchRepository();
  const config = settings ?? environmentSettings(environment, []);
  writeFileSync(join(dirname(directory), `Pulumi.${stack}.yaml`), JSON.stringify({ config }));
  const before = at.store.digest();
  const { code, output, progress } = await runFleet(at, ["preflight", stack, "--json", "--tenants", directory], {
    ...programEnvironment(at, environment),
    ...variables,
  });
  if (output === "") throw new Error(`no report: ${progress}`);
  // Nothing of the account has changed.
  expect(at.store.digest()).toBe(before);
  const secrets = [at.apiToken, at.serviceRoleKeys[environment], at.databaseUrl, new URL(at.databaseUrl).password];
  for (const secret of secrets.filter((text) => text !== "")) expect(output + progress).not.toContain(secret);
  const { checks } = JSON.parse(output) as PreflightReport;
  return { code, progress, checks, failed: checks.filter(({ state }) => state === "fail") };
}

const idsOf = (checks: readonly CheckResult[]) => checks.map(({ check }) => check).toSorted();
const reasonsOf = (checks: readonly CheckResult[]) => [...new Set(checks.map(({ reason }) => reason))];
const platformOf = (more: Settings) => ({
  ...environmentSettings("development", []),
  "tenantry:platform": { ...environmentSettings("development", [])["tenantry:platform"], ...more },
});

test("passes for a stack that was never deployed, and for one that is deployed", async () => {
  const first = await preflight({ variables: { SMTP_URL: edge.mail.smtp, CLOUDFLARE_BASE_URL: proxy.url } });
  expect(first.failed).toEqual([]);
  expect(first.code).toBe(0);
  expect(first.checks.filter(({ state }) => state !== "pass").map(({ check }) => check)).toEqual([]);
  // Each proves a permission, by an item that does not exist.
  expect(proxy.changes.filter((change) => change.startsWith("DELETE"))).toHaveLength(PERMISSIONS.length - 1);
  expect(first.progress).toContain("pass Cloudflare's API");
  const deployed = await preflight({ stack: "whole", environment: "production", settings: platformSettings([]) });
  expect(deployed.failed).toEqual([]);
});

describe("names what is wrong, what to do, and changes nothing", () => {
  test("a token with too few rights", async () => {
    const { value } = await createToken(api(), "reader", R2_READ);
    const { code, checks, failed } = await preflight({ variables: { CLOUDFLARE_API_TOKEN: value } });
    expect(code).toBe(1);
    const required = PERMISSIONS.filter(({ optional }) => optional !== true).map(({ id }) => `permission_${id}`);
    expect(idsOf(failed)).toEqual([...required, "zone"].toSorted());
    expect(checks.find(({ check }) => check === "permission_r2")).toMatchObject({
      found: expect.stringContaining(
        "lacks the permission Workers R2 Storage (Edit), which it needs for backups and logos",
      ),
      remedy: "Add Workers R2 Storage (Edit) to the token for this account.",
      reason: "preflight_permission_missing",
    });
    // What it may read is checked.
    const state = (id: string) => checks.find(({ check }) => check === id)?.state;
    expect([state("product_r2"), state("name_bucket"), state("product_queues")]).toEqual(["pass", "pass", "skip"]);
  });

  test("an invalid token", async () => {
    const { failed, checks } = await preflight({ variables: { CLOUDFLARE_API_TOKEN: "of-another-account-or-none" } });
    expect(reasonsOf(failed)).toEqual(["preflight_token_invalid"]);
    expect(checks.find(({ check }) => check === "zone")).toMatchObject({
      state: "skip",
      reason: "preflight_check_without_api",
    });
    expect(checks.find(({ check }) => check === "database")).toMatchObject({ state: "pass" });
  });

  test("a wrong zone, and another account's", async () => {
    const zone = await preflight({ settings: platformOf({ zoneId: "f".repeat(32) }) });
    expect(zone.failed.find(({ check }) => check === "zone")).toMatchObject({
      found: expect.stringContaining("Invalid zone identifier"),
      remedy: expect.stringContaining("Set platform.zoneId to the zone of the domain"),
    });
    const account = await preflight({ settings: platformOf({ accountId: "f".repeat(32) }) });
    expect(reasonsOf(account.failed)).toEqual(
      expect.arrayContaining(["preflight_account_not_found", "preflight_zone_of_other_account"]),
    );
  });

  test("a domain that the zone's certificate does not cover, or outside the zone", async () => {
    const below = await preflight({ settings: platformOf({ domain: `agents.${DOMAIN}` }) });
    expect(below.failed).toMatchObject([
      { check: "certificate", remedy: expect.stringContaining(`Order an advanced certificate for *.agents.${DOMAIN}`) },
    ]);
    const outside = await preflight({ settings: platformOf({ domain: "agents.example.com" }) });
    expect(reasonsOf(outside.failed)).toContain("preflight_domain_outside_zone");
  });

  test("names of another stack's resources", async () => {
    const { failed } = await preflight({
      stack: "other",
      environment: "production",
      settings: platformSettings([{ slug: "former" }]),
    });
    const taken = failed.filter(({ reason }) => reason === "preflight_name_taken");
    expect(idsOf(taken)).toEqual([
      ...["name_access_application", "name_ai_gateway", "name_bucket", "name_dispatch_namespace", "name_dns_record"],
      ...["name_hyperdrive", "name_kv_namespace", "name_queue", "name_route", "name_worker"],
    ]);
    expect(taken.find(({ check }) => check === "name_queue")?.found).toBe(
      "The queue tenant-fanout exists, and the stack other did not create it.",
    );
    expect(failed).toContainEqual(expect.objectContaining({ reason: "preflight_stack_missing" }));
    await api().r2.buckets.create({ account_id: ACCOUNT_ID, name: "tenantry-backups-former" });
    const kept = await preflight({
      stack: "whole",
      environment: "production",
      settings: platformSettings([{ slug: "former" }]),
    });
    expect(kept.failed).toMatchObject([
      { reason: "preflight_bucket_kept", remedy: "Choose another slug, or adopt it: TENANTRY_ADOPT_BUCKETS=former." },
    ]);
  });

  test("a used-up quota", async () => {
    const ids = Array.from({ length: 19 }, (_, n) => `of-others-${n}`);
    for (const id of ids) await api().post(`/accounts/${ACCOUNT_ID}/ai-gateway/gateways`, { body: { id, ...GATEWAY } });
    const { failed } = await preflight();
    expect(failed).toMatchObject([
      {
        check: "quota_aiGateways",
        found: "The account would have 21 AI gateways: 20 exist beside this stack's, and it needs 1. The limit is 20.",
        remedy: expect.stringContaining("have Cloudflare raise the limit"),
      },
    ]);
    for (const id of ids) await api().aiGateway.delete(id, { account_id: ACCOUNT_ID });
  });

  test.each([
    ["behind", 300],
    ["ahead of", -300],
  ])("a clock that is five minutes %s the API's", async (direction, seconds) => {
    const shifted = await startApiProxy(edge, undefined, () => Date.now() + seconds * 1000);
    onTestFinished(shifted.close);
    const { failed, checks } = await preflight({ variables: { CLOUDFLARE_BASE_URL: shifted.url } });
    expect(reasonsOf(checks)).not.toContain("preflight_check_without_api");
    expect(failed).toMatchObject([
      {
        check: "clock",
        found: expect.stringMatching(new RegExp(`clock is (299|300|301) s ${direction} Cloudflare's`)),
        remedy: "Synchronize the clock, such as with NTP.",
      },
    ]);
  });

  test("an API that answers HTML, and one that does not answer", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<h1>Log in to the proxy</h1>");
    });
    const url = `http://127.0.0.1:${await listen(server, { port: 0 })}`;
    const html = await preflight({ variables: { CLOUDFLARE_BASE_URL: url } });
    expect(html.failed).toMatchObject([
      {
        check: "api",
        found: expect.stringContaining("answers with status 200 and text/html, which is not Cloudflare's API"),
        remedy: expect.stringContaining("Check CLOUDFLARE_BASE_URL, and proxies"),
      },
    ]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const none = await preflight({ variables: { CLOUDFLARE_BASE_URL: url } });
    expect(none.failed).toMatchObject([
      { reason: "preflight_api_unreachable", found: expect.stringContaining("ECONNREFUSED") },
    ]);
  });

  test("a database, a REST layer, a mail server and a backend that cannot be used", async () => {
    await sql(edge, "create role preflight_reader login password 'preflight-reader-password'");
    const weak = new URL(edge.databaseUrl);
    weak.username = "preflight_reader";
    weak.password = "preflight-reader-password";
    const first = await preflight({
      settings: platformOf({ containerImage: "ghcr.io/acme/gateway:latest" }),
      variables: {
        TENANTRY_DATABASE_URL: weak.href,
        TENANTRY_SERVICE_ROLE_KEY: edge.serviceRoleKeys.production,
        SMTP_URL: "smtp://operator:mail-password@127.0.0.1:9",
        TENANTRY_ACCESS_ISSUER: "https://other.cloudflareaccess.com",
        PULUMI_BACKEND_URL: "file:///nowhere/states",
      },
    });
    expect(first.code).toBe(1);
    expect(reasonsOf(first.failed).toSorted()).toEqual([
      "preflight_access_issuer_differs",
      "preflight_backend_failed",
      "preflight_database_rights_missing",
      "preflight_image_not_pinned",
      "preflight_mail_failed",
      "preflight_registry_not_configured",
      "preflight_rest_key_role",
    ]);
    const text = JSON.stringify(first.checks);
    expect(text).not.toContain("preflight-reader-password");
    expect(text).not.toContain("mail-password");
    const other = await preflight({
      variables: {
        TENANTRY_DATABASE_URL: "postgres://postgres:database-password@127.0.0.1:9/tenantry",
        TENANTRY_SERVICE_ROLE_KEY: `${edge.serviceRoleKeys.development.slice(0, -4)}AAAA`,
      },
    });
    expect(reasonsOf(other.failed)).toEqual(["preflight_database_unreachable", "preflight_rest_key_refused"]);
    expect(JSON.stringify(other.checks)).not.toContain("database-password");
  });
});

test("names each product that the account has not enabled", async () => {
  const products: Product[] = ["r2", "workers-for-platforms", "containers", "zero-trust", "analytics-engine"];
  const bare = await openEdge({ withoutProducts: products });
  onTestFinished(bare.close);
  await stackOf(bare.edge, environmentSettings("development", []), "dev");
  const { checks } = await preflight({ at: bare.edge });
  const missing = checks.filter(({ reason }) => reason === "preflight_product_missing");
  expect(idsOf(missing)).toEqual([
    ...["product_analytics_engine", "product_containers", "product_r2", "product_workers_for_platforms"],
    "product_zero_trust",
  ]);
  expect(missing.find(({ check }) => check === "product_r2")).toMatchObject({
    found: "R2 is not enabled in the account: Please enable R2 through the Cloudflare Dashboard. (code 10042).",
    remedy: "Enable R2 in Cloudflare's dashboard.",
  });
  // The token has the permissions: the API checks them first.
  expect(checks.filter(({ check, state }) => check.startsWith("permission_") && state !== "pass")).toEqual([]);
});

test("passes for a platform with a tenant, whose names another stack cannot take", async () => {
  const settings = platformSettings([{ slug: "acme" }]);
  await (await stackOf(edge, settings)).up();
  const own = await preflight({ stack: "whole", environment: "production", settings });
  expect(own.failed).toEqual([]);
  const reserved = platformSettings([{ slug: "acme" }, { slug: "hooks" }]);
  const hooks = await preflight({ stack: "whole", environment: "production", settings: reserved });
  expect(hooks.failed).toMatchObject([{ check: "name_slug", reason: "preflight_slug_reserved" }]);
  const other = await preflight({ stack: "other", environment: "production", settings });
  expect(idsOf(other.failed)).toEqual(expect.arrayContaining(["name_backup_bucket", "name_container_application"]));
});
