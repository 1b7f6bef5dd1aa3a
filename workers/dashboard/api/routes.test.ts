/** Permissions: every route with every kind of caller, compared with the table of the second specification document. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { allRoutes } from "#workers/contracts/api/all-routes.ts";
import { ANYONE, isOfConsole, type Route } from "#workers/contracts/api/route.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { type ApiUnderTest, startApi } from "../testing/start-api.ts";

/** "Control-plane dashboard API" of the specification: the routes of entities. Names of parameters may differ. */
const SPECIFIED: readonly (readonly [route: string, roles: "both" | "root"])[] = [
  ["GET /user", "both"],
  ["GET /user/:", "both"],
  ["POST /user", "both"],
  ["GET /partner/:/style", "both"],
  ["PUT /partner/:/style", "both"],
  ["GET /partner", "root"],
  ["GET /partner/:", "root"],
  ["POST /partner", "root"],
  ["PUT /partner/:", "root"],
  ["DELETE /partner/:", "root"],
  ["GET /client", "both"],
  ["GET /client/:", "both"],
  ["POST /client/new", "both"],
  ["PUT /client/update", "both"],
  ["GET /client/:/partner", "root"],
  ["POST /client/:/user/:", "both"],
  // "operator": a platform root.
  ["PUT /api/ai-gateways/:", "root"],
  ["GET /api/ai-gateways", "root"],
];
/** Routes of the specification that other Workers serve, with their callers. */
const LATER: readonly (readonly [route: string, roles: "both" | "root" | "anyone"])[] = [
  ["POST /client/instance/create", "both"],
  ["PUT /client/instance/:/worker-plan/:", "both"],
  ["GET /client/instance/:/health", "both"],
  ["GET /api/clients/:/users", "both"],
  ["POST /api/clients/:/users", "both"],
  ["PUT /api/clients/:/users/:", "both"],
  ["DELETE /api/clients/:/users/:", "both"],
  ["GET /invitations/:", "anyone"],
  ["GET /analytics/global", "both"],
  ["POST /api/instances/:/assign-gateway", "root"],
];
/** Every route that needs no login. */
const PUBLIC = ["GET /logos/:", "GET /invitations/:", "POST /invitations/:"];

const nameOf = ({ method, path }: Route) => `${method.toUpperCase()} ${path.replaceAll(/:\w+/g, ":")}`;
const declared = allRoutes.flatMap((routes) => Object.values(routes)) as Route[];
const rolesOf = ({ callers }: Route) => {
  if (callers === ANYONE) return "anyone";
  if (isOfConsole(callers)) return "tenant";
  return callers.includes("PARTNER_ROOT") ? "both" : "root";
};

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());

test("has the routes of the document, for the roles that it lists", () => {
  const served = new Map(declared.map((route) => [nameOf(route), rolesOf(route)]));
  expect(served.size).toBe(declared.length);
  for (const [name, roles] of SPECIFIED) expect([name, served.get(name)]).toEqual([name, roles]);
  for (const [name, roles] of LATER) expect([name, served.get(name) ?? roles]).toEqual([name, roles]);
  expect([...served].filter(([name, roles]) => roles === "anyone" && !PUBLIC.includes(name))).toEqual([]);
});

test("serves exactly the routes of the reference", async () => {
  const named = async (path: string, pattern: RegExp) =>
    [...(await readFile(join(import.meta.dirname, path), "utf8")).matchAll(pattern)].map(([, name]) => name).toSorted();
  const rooms = await named("served-routes.ts", /serveAll\(.*?(\w+Routes), \w+Handlers\)/g);
  expect(rooms).toEqual(await named("../../contracts/api/all-routes.ts", /^ {2}(\w+Routes),$/gm));
  expect(rooms).toHaveLength(allRoutes.length);
});

/** A call that passes authorization and fails later: a missing entity, an empty body. Each route's calls are from another network, for its limit. */
const call = (route: Route, headers: Record<string, string>) => {
  const network = `198.51.100.${declared.indexOf(route)}`;
  const path = route.path.replaceAll(/:\w+/g, "00000000-0000-4000-8000-000000000000");
  const body = route.body === undefined ? {} : { body: "[]" };
  return api.fetch(path, {
    method: route.method.toUpperCase(),
    headers: { "content-type": "application/json", "cf-connecting-ip": network, ...headers },
    ...body,
  });
};
const codeOf = async (response: Awaited<ReturnType<typeof call>>) => {
  if (response.ok) return "ok";
  // An error has no data of the response that the handler had prepared.
  expect([response.headers.get("content-type"), response.headers.get("etag")]).toEqual(["application/json", null]);
  return errorBody.parse(await response.json()).error.code;
};

const REFUSALS = ["authentication_required", "access_denied", "forbidden"];

test("accepts each route's callers and refuses others", async () => {
  const token = async (email: string, aud: string) => ({
    "cf-access-jwt-assertion": await api.access.token({ email, aud: [aud] }),
  });
  const dashboard = "audience-of-the-dashboard";
  const identities = {
    nobody: {},
    elsewhere: await token(api.emails.root, "audience-of-acme"),
    stranger: await token("stranger@platform.test", dashboard),
    partner: await token(api.emails.north, dashboard),
    root: await token(api.emails.root, dashboard),
  };
  for (const route of declared) {
    const got: Record<string, string> = {};
    for (const [who, headers] of Object.entries(identities)) got[who] = await codeOf(await call(route, headers));
    const letIn = Object.fromEntries(
      Object.entries(got).map(([who, code]) => [who, REFUSALS.includes(code) ? code : "in"]),
    );
    const roles = rolesOf(route);
    // Users of a tenant log in at the tenant, and every login of the dashboard is refused before a body is read.
    const all = roles === "tenant" ? "authentication_required" : "in";
    const without = { nobody: all, elsewhere: all, stranger: all, partner: all, root: all };
    const callers = {
      nobody: "authentication_required",
      elsewhere: "access_denied",
      stranger: "access_denied",
      partner: roles === "both" ? "in" : "forbidden",
      root: "in",
    };
    expect([nameOf(route), letIn]).toEqual([nameOf(route), ["anyone", "tenant"].includes(roles) ? without : callers]);
  }
});

test("returns not_found for unknown routes, only after a login", async () => {
  expect((await api.fetch("/user/x/y/z")).status).toBe(401);
  expect((await api.fetchAs("root", "GET", "/user/x/y/z")).status).toBe(404);
  expect((await api.fetchAs("root", "PATCH", "/user")).status).toBe(404);
});
