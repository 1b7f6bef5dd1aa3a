/** Checks every request and response of the cases against the declarations of the `cloudflare` package. */
import { beforeAll, expect, test } from "vitest";
import { apiParts } from "../kinds.ts";
import { cases, knownMismatches, otherCalls } from "./testing/all-cases.ts";
import { type ApiServer, startApiServer } from "./testing/api-server.ts";
import type { Case } from "./testing/case.ts";
import { DeclaredTypes } from "./testing/declared-types.ts";
import { type Exchange, exchangeOf } from "./testing/exchange.ts";

type Drive = (server: ApiServer) => Promise<void>;

const seen: Exchange[] = [];

/** Records the successful exchanges of a run with an API of its own. */
async function record(drive: Drive): Promise<void> {
  const server = await startApiServer(async (request, response) => {
    const exchange = response.ok ? await exchangeOf(request, response) : undefined;
    if (exchange !== undefined) seen.push(exchange);
    return undefined;
  });
  await drive(server).finally(() => server.close());
}

const life =
  (one: Case): Drive =>
  async (server) => {
    const { cloudflare } = server;
    await one.prepare?.(server);
    const id = (await one.create?.(cloudflare, 0)) ?? one.given?.[0] ?? "";
    await one.read?.(cloudflare, id);
    await one.list?.(cloudflare);
    await one.update?.(cloudflare, id);
    await one.read?.(cloudflare, id);
    await one.remove?.(cloudflare, id);
  };

function* mismatches(types: DeclaredTypes): Generator<string> {
  for (const { method, path, query, body, envelope } of seen) {
    if (method === undefined) continue;
    const names = types.parameterNames(method);
    const positional = Object.entries(path).filter(([name]) => names.has(name));
    const fields = Array.isArray(body) || typeof body === "string" || (names.has("body") && body !== undefined);
    const sent = { ...Object.fromEntries(positional), ...query, ...(fields ? { body } : { ...(body ?? {}) }) };
    for (const one of types.ofRequest(method, sent)) yield `${method} takes ${one.path}: ${one.problem}`;
    if (envelope === undefined) continue;
    for (const one of types.ofAnswer(method, envelope)) yield `${method} answers ${one.path}: ${one.problem}`;
  }
}

beforeAll(async () => {
  for (const one of cases) await record(life(one));
  for (const drive of otherCalls) await record(drive);
});

test("the cases call every operation", () => {
  const routes = apiParts.flatMap(({ operations }) => Object.keys(operations));
  const found = new Set(seen.map(({ route }) => route));
  expect(routes.filter((route) => !found.has(route))).toEqual([]);
});

test("requests and responses match the declared types, except for known differences", () => {
  expect([...new Set(mismatches(new DeclaredTypes()))].toSorted()).toEqual(Object.keys(knownMismatches).toSorted());
});
