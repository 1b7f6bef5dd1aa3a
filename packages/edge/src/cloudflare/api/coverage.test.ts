import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiParts } from "../kinds.ts";
import { createApi } from "./api.ts";
import { operationsTable } from "./coverage-table.ts";
import { type ApiServer, account_id, domain, startApiServer, teamDomain, zone_id } from "./testing/api-server.ts";

const declared = apiParts.flatMap(({ operations }) => Object.entries(operations));
const routes = declared.map(([route]) => route);

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.close());

function request(route: string, token: string | undefined, account = account_id, zone = zone_id): Promise<Response> {
  const [method = "", path = ""] = route.split(" ");
  const filled = path
    .replace(":account_id", account)
    .replace(":zone_id", zone)
    .replace(/:\w+(\{[^}]*\})?/g, "0".repeat(32));
  return fetch(`${server.url}${filled}`, {
    method,
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  });
}

async function codes(response: Response): Promise<unknown[]> {
  const body = (await response.json()) as { success: boolean; errors: { code: number }[]; result: unknown };
  expect(body).toMatchObject({ success: false, result: null });
  return body.errors.map((error) => error.code);
}

test("the declared operations are served", () => {
  const { store, runtime, gateways, analytics } = server;
  const app = createApi({
    store,
    runtime,
    gatewayLogs: gateways.logs,
    analytics,
    accountId: account_id,
    zoneId: zone_id,
    domain,
    teamDomain,
    apiToken: "t",
    registryCredentials: () => ({ username: "", password: "" }),
    log: () => {},
  });
  const served = app.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`);
  expect(served.toSorted()).toEqual(routes.toSorted());
  expect(new Set(served).size).toBe(served.length);
});

describe.each(routes)("%s", (route) => {
  test("is served, and requires the edge's token, account and zone", async () => {
    expect((await request(route, server.apiToken)).status).not.toBe(501);

    for (const token of ["another-token", ""]) {
      const refused = await request(route, token);
      expect([400, 401, 403]).toContain(refused.status);
      expect(await codes(refused)).toHaveLength(1);
    }
    const bare = await request(route, undefined);
    expect(bare.status).toBe(401);
    expect(await codes(bare)).toEqual([10000]);

    const stranger = "f".repeat(32);
    if (route.includes(":account_id")) {
      expect(await codes(await request(route, server.apiToken, stranger))).toEqual([10000]);
      expect(await codes(await request(route, server.apiToken, "mine"))).toEqual([7003]);
    }
    if (route.includes(":zone_id")) {
      expect(await codes(await request(route, server.apiToken, account_id, stranger))).toEqual([1001]);
    }
  });
});

test("an unsupported operation gets 501 and is logged", async () => {
  const refused = await request("POST /accounts/:account_id/d1/database", server.apiToken);
  expect(refused.status).toBe(501);
  const path = `/client/v4/accounts/${account_id}/d1/database`;
  expect(await refused.json()).toEqual({
    success: false,
    errors: [{ code: 7000, message: `Not supported by the local edge: POST ${path}` }],
    messages: [],
    result: null,
  });
  expect(server.logged).toContainEqual({ event: "unsupported", fields: { method: "POST", path } });
});

test("every listed method of the SDK exists", () => {
  const known = declared.map(([, method]) => method).filter((method) => method !== "-");
  const missing = known.filter((method) => {
    const found = method
      .split(".")
      .reduce<unknown>((owner, name) => (owner as Record<string, unknown> | undefined)?.[name], server.cloudflare);
    return typeof found !== "function";
  });
  expect(missing).toEqual([]);
});

test("the printed table has every operation", () => {
  const table = operationsTable();
  for (const [route, method] of declared) {
    expect(table).toContain(`\`${route}\``);
    if (method !== "-") expect(table).toContain(`\`${method}\``);
  }
});
