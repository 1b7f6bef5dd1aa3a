import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiServer, account_id, startApiServer } from "../../api/testing/api-server.ts";
import { writePoint } from "./testing/points.ts";

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer();
});
afterEach(() => server.close());

const path = `/accounts/${account_id}/analytics_engine/sql`;

function post(body: string, token = server.apiToken): Promise<Response> {
  return fetch(`${server.url}${path}`, { method: "POST", headers: { authorization: `Bearer ${token}` }, body });
}

function get(query: string, token = server.apiToken): Promise<Response> {
  const url = `${server.url}${path}?${new URLSearchParams({ query })}`;
  return fetch(url, { headers: { authorization: `Bearer ${token}` } });
}

async function tokenWith(name: string): Promise<string> {
  const { tokens } = server.cloudflare.accounts;
  const [group] = (await tokens.permissionGroups.list({ account_id, name })).result;
  const resources = { [`com.cloudflare.api.account.${account_id}`]: "*" };
  const policies = [{ id: "", effect: "allow" as const, permission_groups: [{ id: group?.id ?? "" }], resources }];
  return (await tokens.create({ account_id, name, policies })).value ?? "";
}

test("takes a query as the body of a POST or a parameter of a GET", async () => {
  writePoint(server.analytics, "weather", { at: Date.now(), blobs: ["Łódź"], doubles: [21.5] });
  for (const ask of [post, get]) {
    const answer = await ask(
      "SELECT blob1 AS city, double1 AS t, count() AS n FROM weather WHERE city = 'Łódź' GROUP BY city, t",
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=UTF-8");
    expect(await answer.json()).toEqual({
      meta: [
        { name: "city", type: "String" },
        { name: "t", type: "Float64" },
        { name: "n", type: "UInt64" },
      ],
      data: [{ city: "Łódź", t: 21.5, n: "1" }],
      rows: 1,
      rows_before_limit_at_least: 1,
    });
    const lines = await ask("SHOW TABLES FORMAT JSONEachRow");
    expect(lines.headers.get("content-type")).toBe("application/x-ndjson; charset=UTF-8");
    expect(await lines.text()).toBe('{"dataset":"weather"}\n');
    const table = await ask("SELECT double1, blob1 FROM weather FORMAT TabSeparated");
    expect(table.headers.get("content-type")).toBe("text/tab-separated-values; charset=UTF-8");
    expect(await table.text()).toBe("21.5\tŁódź\n");
  }
});

test("responds to an invalid query with plain text, without logging a fault", async () => {
  for (const ask of [post, get]) {
    const refused = await ask("SELECT blob1 FROM nowhere");
    expect(refused.status).toBe(422);
    expect(refused.headers.get("content-type")).toBe("text/plain; charset=UTF-8");
    expect(await refused.text()).toBe("Input was invalid: unknown table: nowhere");
    expect((await ask("")).status).toBe(422);
  }
  expect(
    (await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${server.apiToken}` } })).status,
  ).toBe(422);
  expect(server.logged).toEqual([]);
});

test("accepts a token with Account Analytics Read for queries only", async () => {
  const reader = await tokenWith("Account Analytics Read");
  for (const ask of [post, get]) {
    expect((await ask("SHOW TABLES", reader)).status).toBe(200);
    for (const token of [await tokenWith("AI Gateway Read"), "another", `${reader}x`]) {
      const refused = await ask("SHOW TABLES", token);
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({ success: false, errors: [{ code: 10000 }] });
    }
  }
  expect((await fetch(`${server.url}${path}`, { method: "POST", body: "SHOW TABLES" })).status).toBe(401);
  const headers = { authorization: `Bearer ${reader}` };
  const others = ["tokens", "storage/kv/namespaces", "ai-gateway/gateways"];
  for (const other of others) {
    for (const method of ["GET", "POST"]) {
      const refused = await fetch(`${server.url}/accounts/${account_id}/${other}`, { method, headers });
      expect(refused.status).toBe(403);
    }
  }
  const stranger = await fetch(`${server.url}${path.replace(account_id, "f".repeat(32))}`, { method: "POST", headers });
  expect(stranger.status).toBe(403);
});

test("runs concurrent queries while points are written", async () => {
  for (let n = 0; n < 500; n += 1) writePoint(server.analytics, "load", { at: Date.now(), doubles: [1] });
  const asked = Array.from({ length: 10 }, () => post("SELECT sum(double1) AS s FROM load"));
  for (let n = 0; n < 100; n += 1) writePoint(server.analytics, "load", { at: Date.now(), doubles: [1] });
  for (const answer of await Promise.all(asked)) {
    const { data } = (await answer.json()) as { data: { s: number }[] };
    expect(data[0]?.s).toBe(600);
  }
});
