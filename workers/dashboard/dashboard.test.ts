import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertClient, insertInstance, insertPoolEntry } from "#database/testing/fixtures.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { type DashboardUnderTest, startDashboard } from "./testing/start-dashboard.ts";
import { withoutDatabase } from "./testing/without-database.ts";

/** Maximum wait on a busy machine. */
const SOON = { timeout: 40_000 };

const ROOT = "root@platform.test";
const NORTH = "boss@north.test";

let dashboard: DashboardUnderTest;

beforeAll(async () => {
  dashboard = await startDashboard();
  const { db } = dashboard.database;
  await db.insertInto("tenantry.dashboard_users").values({ email: ROOT, name: "Rita", role: "ROOT" }).execute();
});
afterAll(() => dashboard?.stop());

const list = async (query = "", email = ROOT) => {
  const response = await dashboard.fetch(`/client${query}`, { email });
  return clientRoutes.listClients.answer.parse(await response.json());
};
test("returns an empty list without clients", async () => {
  const { db } = dashboard.database;
  const made = await db
    .insertInto("tenantry.partners")
    .values({ slug: "new", name: "New" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const email = "boss@new.test";
  await db
    .insertInto("tenantry.dashboard_users")
    .values({ email, role: "PARTNER_ROOT", partner_id: made.id })
    .execute();
  expect(await list("", email)).toEqual({ data: [], pagination: { next: null, total: 0 } });
});

describe("with clients", () => {
  let partner: string;

  beforeAll(async () => {
    const { db } = dashboard.database;
    const made = await db
      .insertInto("tenantry.partners")
      .values({ slug: "north", name: "North & <Sons>" })
      .returning("id")
      .executeTakeFirstOrThrow();
    partner = made.id;
    await db
      .insertInto("tenantry.dashboard_users")
      .values({ email: NORTH, role: "PARTNER_ROOT", partner_id: partner })
      .execute();
    const pool = await insertPoolEntry(db, { gateway_id: "shared-1", max_instances: 2 });
    const acme = await insertClient(db, { slug: "acme", partner_id: partner });
    await insertInstance(db, acme, { status: "running", ai_gateway_id: "shared-1", ai_gateway_pool_id: pool });
    const beta = await insertClient(db, { slug: "beta", name: "<script>alert(1)</script>" });
    await insertInstance(db, beta, { status: "frozen", ai_gateway_id: "tenantry-beta" });
    await insertClient(db, { slug: "gamma", status: "draft" });
  });

  test("shows a platform root all clients", async () => {
    const { data, pagination } = await list();
    expect(pagination).toEqual({ next: null, total: 3 });
    expect(data.map(({ slug, partner: of, status }) => [slug, of?.name, status])).toEqual([
      ["acme", "North & <Sons>", "production"],
      ["beta", undefined, "production"],
      ["gamma", undefined, "draft"],
    ]);
    expect(
      data.map(({ instance }) => instance && [instance.status, instance.ai_gateway_id, instance.ai_gateway_pooled]),
    ).toEqual([["running", "shared-1", true], ["frozen", "tenantry-beta", false], null]);
  });

  test("shows a partner root only the partner's clients", async () => {
    const { data, pagination } = await list("", NORTH);
    expect([data.map(({ slug }) => slug), pagination.total]).toEqual([["acme"], 1]);
  });

  test.each([
    ["slug", ["acme", "beta", "gamma"]],
    ["-slug", ["gamma", "beta", "acme"]],
    ["created_at", ["acme", "beta", "gamma"]],
    ["-created_at", ["gamma", "beta", "acme"]],
  ])("pages by %s hold each client once, though one is added meanwhile", async (sort, slugs) => {
    const first = await list(`?limit=2&sort=${sort}`);
    const { db } = dashboard.database;
    const added = await insertClient(db, { slug: "aaaa" });
    try {
      await db
        .updateTable("tenantry.clients")
        .set({ created_at: new Date(0) })
        .where("id", "=", added)
        .execute();
      const second = await list(`?limit=2&sort=${sort}&after=${first.pagination.next}`);
      const seen = [...first.data, ...second.data].map(({ slug }) => slug).filter((slug) => slug !== "aaaa");
      expect(seen).toEqual(slugs);
      expect(second.pagination.next).toBeNull();
    } finally {
      await db.deleteFrom("tenantry.clients").where("id", "=", added).execute();
    }
  });

  test("filters the list", async () => {
    const found = async (query: string) => (await list(query)).data.map(({ slug }) => slug);
    expect(await found("?status=draft")).toEqual(["gamma"]);
    expect(await found("?instance_status=frozen")).toEqual(["beta"]);
    expect(await found(`?partner_id=${partner}`)).toEqual(["acme"]);
    expect(await found("?search=ALERT")).toEqual(["beta"]);
    expect(await found("?search=%25")).toEqual([]);
    expect(await found("?billing_plan=free")).toEqual([]);
  });

  test("refuses an invalid query by field", async () => {
    for (const query of [
      "?limit=0",
      "?limit=x",
      "?limit=101",
      "?limit=1.5",
      "?sort=name",
      "?after=%00",
      "?status=gone",
    ]) {
      const response = await dashboard.fetch(`/client${query}`, { email: ROOT });
      expect(response.status).toBe(400);
      const { error } = errorBody.parse(await response.json());
      expect([error.code, Object.keys(error.details as object)]).toEqual([
        "invalid_request",
        [/[a-z_]+/.exec(query)?.[0]],
      ]);
    }
  });
});

describe("access", () => {
  const status = async (headers: Record<string, string>) => (await dashboard.fetch("/client", { headers })).status;
  const withToken = async (claims: Record<string, unknown>) =>
    status({ "cf-access-jwt-assertion": await dashboard.access.token(claims) });

  test("requires a token for the dashboard of one of its users", async () => {
    expect(await status({})).toBe(401);
    expect(await withToken({ email: ROOT, aud: ["audience-of-acme"] })).toBe(403);
    expect(await withToken({ email: ROOT, aud: ["audience-of-the-dashboard"], exp: 1 })).toBe(401);
    expect(await withToken({ email: ROOT, aud: ["audience-of-the-dashboard"], iss: "https://elsewhere.test" })).toBe(
      403,
    );
    expect(await withToken({ email: "stranger@platform.test", aud: ["audience-of-the-dashboard"] })).toBe(403);
    expect(await withToken({ email: "ROOT@platform.test", aud: ["audience-of-the-dashboard"] })).toBe(200);
  });

  test("responds to browsers with a page and to programs with JSON", async () => {
    const html = await dashboard.fetch("/", { headers: { accept: "text/html" } });
    expect([html.status, await html.text()]).toEqual([401, expect.stringContaining("Log in to use the dashboard.")]);
    const json = await dashboard.fetch("/nowhere", { email: ROOT });
    const { error } = errorBody.parse(await json.json());
    expect([json.status, error.code, error.reason]).toEqual([404, "not_found", "address_not_found"]);
  });
});

test("reads the body of a request before it refuses it, so that a client receives the response", async () => {
  const send = () =>
    request(new URL("/console/acme/tokens", dashboard.direct), {
      method: "POST",
      headers: { host: "dash.example.test", "content-type": "application/json", "content-length": "200000" },
    });
  const sent = send();
  let isAnswered = false;
  const answer = once(sent, "response").then(([response]) => {
    isAnswered = true;
    return response;
  });
  sent.write("x".repeat(100_000));
  const other = send();
  other.end("x".repeat(200_000));
  const [refused] = await once(other, "response");
  expect([refused.statusCode, isAnswered]).toEqual([404, false]);
  sent.end("x".repeat(100_000));
  expect((await answer).statusCode).toBe(404);
  for (const one of [sent, other]) one.destroy();
});

test("serves pages only to users, without foreign scripts and frames", async () => {
  const { status, headers } = await dashboard.fetch("/clients", { email: ROOT });
  expect(status).toBe(200);
  const policy = headers.get("content-security-policy") ?? "";
  for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]) {
    expect(policy.split("; ")).toContain(part);
  }
  expect(policy).toContain("connect-src 'self' wss://*.example.test:8443");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cache-control")).toBe("no-cache");
  expect((await dashboard.fetch("/clients", { email: "stranger@elsewhere.test" })).status).toBe(403);
  expect((await dashboard.fetch("/clients")).status).toBe(401);
});

test("hides errors of the database", async () => {
  expect(await (await dashboard.fetch("/healthz")).json()).toEqual({ ok: true });
  const { pool } = dashboard.database;
  await pool.query("alter table tenantry.clients rename to clients_away");
  try {
    const response = await dashboard.fetch("/client", { email: ROOT });
    expect(response.status).toBe(500);
    const { error } = errorBody.parse(await response.json());
    expect(error.message).not.toMatch(/relation|tenantry\.|select/);
    const id = /for (\S+)\.$/.exec(error.message)?.[1] ?? "none";
    await expect.poll(() => dashboard.logs.join("\n"), SOON).toContain(id);
  } finally {
    await pool.query("alter table tenantry.clients_away rename to clients");
  }
  await withoutDatabase(dashboard.database, async () => {
    expect((await dashboard.fetch("/healthz")).status).toBe(503);
    expect((await dashboard.fetch("/client", { email: ROOT })).status).toBe(503);
    // Requests without login do not use the database.
    expect((await dashboard.fetch("/client")).status).toBe(401);
  });
});
