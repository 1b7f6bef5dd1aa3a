import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { errorBody } from "#workers/contracts/errors.ts";
import { openTicket } from "#workers/shared/access/console-ticket.ts";
import { type DispatchUnderTest, DOMAIN, DOORS_KEY, startDispatch, tenant } from "./testing/start-dispatch.ts";

const acme = `acme.${DOMAIN}`;
let dispatch: DispatchUnderTest;
let session: Record<string, string>;

beforeAll(async () => {
  dispatch = await startDispatch();
  for (const slug of ["acme", "poll", "stream"]) dispatch.rest.tenants.set(slug, tenant(slug));
  dispatch.rest.roles.set("acme ada@acme.test", "ADMIN");
});
afterAll(() => dispatch?.stop());
beforeEach(async () => {
  const jwt = await dispatch.access.token({ email: "Ada@Acme.test", aud: ["audience-of-acme"] });
  session = { "cf-access-jwt-assertion": jwt };
});

describe("the routing gate", () => {
  const cases = [
    ["frozen", { instance_status: "frozen" }, "instance_frozen"],
    ["stopped", { instance_status: "stopped" }, "instance_stopped"],
    ["draft", { client_status: "draft" }, "client_not_active"],
  ] as const;

  test.each(cases)("refuses a %s tenant before any login, health included", async (slug, state, code) => {
    dispatch.rest.tenants.set(slug, tenant(slug, state));
    for (const path of ["/", "/api/health"]) {
      const response = await dispatch.fetch(`${slug}.${DOMAIN}`, path);
      expect(response.status).toBe(403);
      expect(errorBody.parse(await response.json()).error.code).toBe(code);
    }
  });

  test("allows administrators of a frozen tenant to download its backups only", async () => {
    dispatch.rest.tenants.set("iced", tenant("iced", { instance_status: "frozen" }));
    dispatch.rest.tenants.set("halted", tenant("halted", { instance_status: "stopped" }));
    dispatch.rest.roles.set("iced ada@acme.test", "ADMIN");
    const jwt = await dispatch.access.token({ email: "ada@acme.test", aud: ["audience-of-iced"] });
    const ask = async (
      path: string,
      method = "GET",
      headers: Record<string, string> = { "cf-access-jwt-assertion": jwt },
    ) => (await dispatch.fetch(`iced.${DOMAIN}`, path, { method, headers })).status;
    const list = "/api/admin/gateway/backups";
    expect([await ask(list), await ask(`${list}/b1`)]).toEqual([200, 200]);
    expect(await ask(`${list}/b1`, "GET", {})).toBe(401);
    expect(await ask(list, "GET", session)).toBe(403);
    for (const [method, path] of [
      ["POST", list],
      ["DELETE", `${list}/b1`],
      ["GET", "/"],
      ["GET", `${list}x`],
      ["GET", `${list}/../log`],
      ["POST", "/api/admin/gateway/backup"],
      ["POST", "/api/admin/gateway/restart"],
      ["POST", "/api/admin/gateway/sleep"],
    ] as const) {
      expect([method, path, await ask(path, method)]).toEqual([method, path, 403]);
    }
    expect((await dispatch.fetch(`halted.${DOMAIN}`, list)).status).toBe(403);
  });

  test("responds with a page to people and JSON to programs", async () => {
    dispatch.rest.tenants.set("iced", tenant("iced", { instance_status: "frozen" }));
    const page = await dispatch.fetch(`iced.${DOMAIN}`, "/", { headers: { accept: "text/html,*/*" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([403, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain("This tenant is frozen");
    expect(page.headers.get("vary")).toBe("Accept");
  });
});

describe("health", () => {
  test("needs no login and sends no role to the tenant", async () => {
    const seen = (await (await dispatch.fetch(acme, "/api/health?passive=1", { headers: session })).json()) as {
      url: string;
      headers: Record<string, string>;
    };
    expect(seen.url).toBe(`https://${acme}/api/health?passive=1`);
    expect(seen.headers).not.toHaveProperty("x-platform-role");
    const stream = await dispatch.fetch(`stream.${DOMAIN}`, "/api/health/ws", { headers: { upgrade: "websocket" } });
    expect(stream.status).toBe(101);
    stream.webSocket?.accept();
    stream.webSocket?.close();
  });

  test("is streamed to a dashboard page, which sends its own origin and no tenant login", async () => {
    const headers = { upgrade: "websocket", origin: `https://dash.${DOMAIN}` };
    const { status, webSocket } = await dispatch.fetch(acme, "/api/health/ws?passive=1", { headers });
    expect(status).toBe(101);
    webSocket?.accept();
    webSocket?.close();
    // The gate applies to the stream too.
    dispatch.rest.tenants.set("chilled", tenant("chilled", { instance_status: "frozen" }));
    expect((await dispatch.fetch(`chilled.${DOMAIN}`, "/api/health/ws?passive=1", { headers })).status).toBe(403);
  });

  test("is public for HEAD and GET", async () => {
    const response = await dispatch.fetch(acme, "/api/health?passive=1", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  test("is the only path without login", async () => {
    const closed: [string, string][] = [
      ["POST", "/api/health"],
      ["GET", "/api/health/"],
      ["GET", "/api/health/other"],
      ["GET", "/api/%68ealth"],
      ["GET", "/api/status"],
    ];
    for (const [method, path] of closed) {
      const response = await dispatch.fetch(acme, path, { method });
      expect([method, path, response.status]).toEqual([method, path, 401]);
      await response.body?.cancel();
    }
  });

  test("is limited for each tenant", async () => {
    const statuses: number[] = [];
    let refused: Awaited<ReturnType<DispatchUnderTest["fetch"]>> | undefined;
    while (!refused && statuses.length < 2_000) {
      const response = await dispatch.fetch(`poll.${DOMAIN}`, "/api/health");
      statuses.push(response.status);
      if (response.status === 429) refused = response;
      else await response.body?.cancel();
    }
    expect(statuses.slice(0, 120)).toEqual(Array(120).fill(200));
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await dispatch.fetch(acme, "/api/health")).status).toBe(200);
  });
});

describe("the console's entry", () => {
  const enter = (
    headers: Record<string, string> = session,
    { host = acme, path = "/.tenantry/", method = "GET" } = {},
  ) => dispatch.fetch(host, path, { method, headers });
  const reason = async (response: ReturnType<typeof enter>) => {
    const refused = await response;
    return [refused.status, errorBody.parse(await refused.json()).error.reason];
  };

  test("leads a tenant's user to the dashboard's host with a ticket for that user and tenant", async () => {
    for (const path of ["/.tenantry/", "/.tenantry", "/.tenantry/?x=y"]) {
      const response = await enter(session, { path });
      const url = new URL(response.headers.get("location") ?? "");
      expect([response.status, url.host, url.pathname]).toEqual([303, `dash.${DOMAIN}`, "/console/acme/enter"]);
      expect([response.headers.get("cache-control"), response.headers.get("referrer-policy")]).toEqual([
        "no-store",
        "no-referrer",
      ]);
      const ticket = url.searchParams.get("ticket") ?? "";
      expect(await openTicket({ used: DOORS_KEY }, { use: "entry", slug: "acme" }, ticket)).toEqual({
        email: "ada@acme.test",
      });
      for (const other of [
        { use: "session", slug: "acme" },
        { use: "entry", slug: "globex" },
      ] as const)
        expect(await openTicket({ used: DOORS_KEY }, other, ticket)).toBeUndefined();
      expect(dispatch.logs.join("\n")).not.toContain(ticket);
    }
  });

  test("opens while the tenant is frozen, and reaches no tenant's Worker", async () => {
    dispatch.rest.tenants.set("cold", tenant("cold", { instance_status: "frozen", worker_name: "tenant-missing" }));
    dispatch.rest.roles.set("cold ada@acme.test", "BASE_USER");
    const jwt = await dispatch.access.token({ email: "ada@acme.test", aud: ["audience-of-cold"] });
    const host = `cold.${DOMAIN}`;
    expect((await enter({ "cf-access-jwt-assertion": jwt }, { host })).status).toBe(303);
    expect(await reason(enter(session, { host }))).toEqual([403, "tenant_login_for_other"]);
  });

  test("refuses strangers, service tokens and scripts", async () => {
    expect((await enter({})).status).toBe(401);
    const stranger = await dispatch.access.token({ email: "eve@acme.test", aud: ["audience-of-acme"] });
    expect(await reason(enter({ "cf-access-jwt-assertion": stranger }))).toEqual([403, "tenant_user_unknown"]);
    const expires_at = Math.floor(Date.now() / 1000) + 60;
    dispatch.rest.tokens.set("acme known.access", { email: "ada@acme.test", role: "ADMIN", expires_at });
    for (const common_name of ["known.access", "other.access"]) {
      const claims = { common_name, sub: "", aud: ["audience-of-acme"] } as unknown as { email: string };
      const jwt = await dispatch.access.token(claims);
      expect(await reason(enter({ "cf-access-jwt-assertion": jwt }))).toEqual([403, "console_requires_person"]);
    }
    // The test's client sends the mode `cors`, as browsers do with the site.
    for (const site of ["same-origin", "same-site", "cross-site", "none"]) {
      const refused = enter({ ...session, "sec-fetch-site": site });
      expect(await reason(refused)).toEqual([403, "console_requires_navigation"]);
    }
  });

  test("reserves every other path and method below it", async () => {
    for (const [method, path] of [
      ["GET", "/.tenantry/tokens"],
      ["GET", "/.tenantry/x/../y"],
      ["POST", "/.tenantry/"],
      ["DELETE", "/.tenantry"],
    ] as const)
      expect([path, await reason(enter(session, { path, method }))]).toEqual([path, [404, "path_reserved"]]);
    expect((await enter(session, { path: "/.tenantryx" })).status).toBe(200);
  });
});
