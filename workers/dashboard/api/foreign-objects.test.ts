/** Attacks: each operation of the API's reference with each object of another owner. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertClientUser } from "#database/testing/fixtures.ts";
import { insertOwnedRows, type OwnedRows, type Owner } from "#database/testing/owned-rows.ts";
import { consoleApi } from "#domain/access/access-addresses.ts";
import { allRoutes } from "#workers/contracts/api/all-routes.ts";
import { admitsRoots, admitsTenantUsers, isOfConsole, type Role, TENANT_ADMINS } from "#workers/contracts/api/route.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { consoleLogin } from "../testing/console-login.ts";
import { AUDIENCE, type DashboardUnderTest, startDashboard } from "../testing/start-dashboard.ts";
import { IDS } from "./reference/operations/examples.ts";
import type { Operation } from "./reference/operations/section.ts";
import { sections } from "./reference/operations/sections.ts";

type Name = keyof typeof IDS;

/** The table of each id of the reference's examples. */
const TABLES: Readonly<Record<Exclude<Name, "pool" | "message" | "root">, string>> = {
  partner: "partners",
  domain: "partner_domains",
  client: "clients",
  instance: "instances",
  person: "users",
  clientUser: "client_users",
  serviceToken: "service_tokens",
  image: "images",
  worker: "worker_bundles",
  provisionJob: "jobs",
  openJob: "jobs",
  rollout: "rollouts",
  incident: "incidents",
  channel: "channels",
  door: "doors",
  providerKey: "provider_keys",
  egressSecret: "egress_secrets",
  invoice: "invoices",
  erasure: "erasures",
};
const NAMES = Object.keys(TABLES) as (keyof typeof TABLES)[];

/** Refusals other than `not_found`. `empty`: a list that is filtered by the object. */
const OTHERWISE: Readonly<Record<string, RegExp>> = {
  "createClient partner": /^(?:forbidden|invalid_request)$/,
  "createUser partner": /^(?:forbidden|invalid_request)$/,
  "inviteClientUser instance": /^invalid_request$/,
  "linkUser instance": /^invalid_request$/,
  "createRollout image": /^conflict$/,
  "changeVersion image": /^conflict$/,
  // The caller chooses the id.
  "createConsoleToken serviceToken": /^conflict$/,
  "listJobs client": /^empty$/,
  "listIncidents instance": /^empty$/,
  "listAudit client": /^empty$/,
  "exportAudit client": /^empty$/,
};
const EMPTY = /^\{"(?:data":\[\]|end":\{"entries":0\})/;

/** Parameters whose values have no owner, or that of another parameter. */
const UNOWNED = ["backup_id", "device_id", "plan_type", "provider", "request_id"];
/** AI gateways of the pool are the platform's. */
const SHARED = [IDS.pool];

const operations = sections.flatMap((section) => section.operations);
const ofRoots = operations.filter(({ route }) => admitsRoots(route.callers));
const ofPartners = ofRoots.filter(({ route }) => (route.callers as readonly string[]).includes("PARTNER_ROOT"));
const ofTenants = operations.filter(({ route }) => isOfConsole(route.callers));
const isShared = ({ route }: Operation) => admitsRoots(route.callers) && admitsTenantUsers(route.callers);
const admits = (role: Role) => (operation: Operation) =>
  isShared(operation) && (operation.route.callers as readonly Role[]).includes(role);
/** What only roots may do: of these routes none exists below the console's path. */
const ofRootsAlone = ofRoots.filter((operation) => !isShared(operation));

/** Changes of one user are limited, so that others of the same tenant take turns. */
const ADMINS = Array.from({ length: 40 }, (_, index) => `admin-${index}@north.test`);
/** Requests of one network are limited. */
let requests = 0;

let api: DashboardUnderTest;
let owned: OwnedRows;
let foreign: Record<string, string>;
beforeAll(async () => {
  api = await startDashboard({}, ["production", "development"]);
  owned = await insertOwnedRows(api.database);
  for (const table of ["clients", "instances"] as const)
    await api.database.pool.query(`update tenantry.${table} set managed_by = 'dashboard' where id = $1`, [
      owned.rows.get(table)?.values.north,
    ]);
  foreign = await rowsOf(["south", "internal", "elsewhere"]);
  const member = { client_id: idOf("client", "north"), status: "validated" };
  const users = [{ email: "bob@north.test", role: "BASE_USER" }, ...ADMINS.map((email) => ({ email, role: "ADMIN" }))];
  for (const user of users)
    await insertClientUser(api.database.db, { ...member, ...user }, [idOf("instance", "north")]);
});
afterAll(() => api?.stop());

function idOf(name: keyof typeof TABLES, owner: Owner): string {
  const { values } = owned.rows.get(TABLES[name]) ?? expect.fail(`no rows in ${TABLES[name]}`);
  return values[owner];
}

/** Rows of owners, as text. */
async function rowsOf(owners: readonly Owner[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [table, { column, values }] of owned.rows) {
    const { rows } = await api.database.pool.query(
      `select string_agg(t::text, e'\\n' order by t::text) as text from tenantry.${table} t where ${column}::text = any ($1)`,
      [owners.map((owner) => values[owner])],
    );
    found[table] = rows[0].text;
  }
  return found;
}

/** The objects in the example of an operation's request. */
function objectsOf({ params, query, body }: Operation) {
  const example = JSON.stringify([params, query, body]);
  return NAMES.filter((name) => example.includes(IDS[name]));
}

/** Sends the example of an operation's request with the ids of `owner`'s objects. @returns the error's code, `empty` or `ok` */
async function send(
  { route, ...operation }: Operation,
  ownerOf: (name: keyof typeof TABLES) => Owner,
  headers: Record<string, string>,
  below = "",
): Promise<[code: string, text: string]> {
  const example = JSON.stringify([operation.params, operation.query, operation.body ?? null]);
  const [params, query, body] = JSON.parse(
    NAMES.reduce((text, name) => text.replaceAll(IDS[name], idOf(name, ownerOf(name))), example).replaceAll(
      '{"slug":"acme"',
      `{"slug":"${ownerOf("instance")}"`,
    ),
  );
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]));
  const content = route.upload
    ? { type: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }
    : { type: "application/json", body: JSON.stringify(body) };
  const response = await api.fetch(`${below}${path}?${new URLSearchParams(query)}`, {
    method: route.method.toUpperCase(),
    headers: { "content-type": content.type, "cf-connecting-ip": `192.0.2.${requests++ % 200}`, ...headers },
    ...((route.body || route.upload) && { body: content.body }),
  });
  const text = await response.text();
  if (!response.ok) return [errorBody.parse(JSON.parse(text)).error.code, text];
  return [EMPTY.test(text) ? "empty" : "ok", text];
}

const login = async (email: string) => ({
  "cf-access-jwt-assertion": await api.access.token({ email, aud: [AUDIENCE] }),
});
/** Headers of a user who is logged in at the console of north's tenant. @param slug of the tenant that the cookie claims */
const loginAtConsole = (slug: string, who = "ada") => consoleLogin(slug, `${who}@north.test`, { at: "north" });

const refusedCases = (tested: readonly Operation[]) =>
  tested.flatMap((operation) => objectsOf(operation).map((name) => [operation.id, name, operation] as const));

/** Expects a refusal for the object of each owner, while the other objects of the request are north's. */
async function expectRefusals(
  owners: readonly Owner[],
  [id, name, operation]: ReturnType<typeof refusedCases>[number],
  headers: Record<string, string>,
  below = "",
) {
  for (const owner of owners) {
    const [code, text] = await send(operation, (each) => (each === name ? owner : "north"), headers, below);
    expect([owner, code, text]).toEqual([
      owner,
      expect.stringMatching(OTHERWISE[`${id} ${name}`] ?? /^not_found$/),
      text,
    ]);
  }
  expect(await rowsOf(["south", "internal", "elsewhere"])).toEqual(foreign);
}

/** Expects that north's callers read north's objects with the same requests. The tenants' Workers and Cloudflare's API do not run. */
async function expectReads(tested: readonly Operation[], headers: Record<string, string>, below = "") {
  for (const operation of tested.filter(({ route }) => route.method === "get")) {
    const [code, text] = await send(operation, () => "north", headers, below);
    expect([operation.id, code, text]).toEqual([
      operation.id,
      expect.stringMatching(/^(?:ok|empty|tenant_unavailable)$/),
      text,
    ]);
  }
}

test("has every operation, and tests every object that a path names", () => {
  expect(operations).toHaveLength(allRoutes.flatMap((routes) => Object.values(routes)).length);
  const tested: string[] = ["acme", ...NAMES.map((name) => IDS[name]), ...SHARED];
  const untested = [...ofRoots, ...ofTenants].flatMap(({ id, params = {} }) =>
    Object.entries(params)
      .filter(([param, value]) => !tested.includes(String(value)) && !UNOWNED.includes(param))
      .map(([param]) => `${id} ${param}`),
  );
  expect(untested).toEqual([]);
});

describe("a partner root", () => {
  test("reads their own objects with the same requests", async () => {
    await expectReads(ofPartners, await login("root@north.test"));
  });

  test.each(refusedCases(ofPartners))("cannot use %s with another's %s", async (...refused) => {
    await expectRefusals(["south", "internal", "elsewhere"], refused, await login("root@north.test"));
  });
});

test.each(refusedCases(ofRoots))("a platform root cannot use %s with another environment's %s", async (...refused) => {
  await expectRefusals(["elsewhere"], refused, await login("root@platform.test"));
});

describe("a tenant's ADMIN", () => {
  test("reads their own tenant's objects with the same requests", async () => {
    await expectReads(ofTenants, await loginAtConsole("north"));
  });

  test.each(ofTenants.map((operation) => [operation.id, operation] as const))(
    "cannot use %s of another tenant",
    async (_, operation) => {
      const [code] = await send(operation, () => "south", await loginAtConsole("south"));
      expect(code).toBe("authentication_required");
      expect(await rowsOf(["south", "internal", "elsewhere"])).toEqual(foreign);
    },
  );

  test.each(
    ofTenants
      .filter(({ route }) => route.callers === TENANT_ADMINS)
      .map((operation) => [operation.id, operation] as const),
  )("is required for %s", async (_, operation) => {
    const before = await rowsOf(["north"]);
    const [code, text] = await send(operation, () => "north", await loginAtConsole("north", "bob"));
    expect([code, text]).toEqual(["forbidden", text]);
    expect(await rowsOf(["north"])).toEqual(before);
  });

  test.each(refusedCases(ofTenants).filter(([, name]) => name !== "instance"))(
    "cannot use %s with another's %s",
    async (...refused) => {
      await expectRefusals(["south", "internal", "elsewhere"], refused, await loginAtConsole("north"));
    },
  );
});

describe("an ADMIN below the console's path", () => {
  const admin = () => consoleLogin("north", ADMINS[requests % ADMINS.length] ?? "", { at: "north" });
  const ofAdmins = ofRoots.filter(admits("ADMIN"));
  const NORTH = consoleApi("north");

  test("reads their own objects, and nothing of the platform, with the same requests as roots", async () => {
    await expectReads(ofAdmins, await admin(), NORTH);
    const hidden = ["root@north.test", "root@platform.test", "gateway-north", "registry.test"];
    const responses = ofAdmins
      .filter(({ route }) => route.method === "get")
      .map(async (operation) => send(operation, () => "north", await admin(), NORTH));
    for (const [, text] of await Promise.all(responses))
      expect(hidden.filter((name) => text.includes(name))).toEqual([]);
  });

  test.each(refusedCases(ofAdmins))("cannot use %s with another's %s", async (...refused) => {
    // All tenants of an environment can get its images.
    const owners = refused[1] === "image" ? (["elsewhere"] as const) : (["south", "internal", "elsewhere"] as const);
    await expectRefusals(owners, refused, await admin(), NORTH);
  });

  test.each(ofAdmins.map((operation) => [operation.id, operation] as const))(
    "cannot use %s of another tenant",
    async (_, operation) => {
      for (const [slug, login] of [
        ["south", await loginAtConsole("south")],
        ["south", await admin()],
      ] as const)
        expect((await send(operation, () => "south", login, consoleApi(slug)))[0]).toBe("authentication_required");
      expect(await rowsOf(["south", "internal", "elsewhere"])).toEqual(foreign);
    },
  );

  test.each(ofRootsAlone.map((operation) => [operation.id, operation] as const))(
    "has no route %s, with either login",
    async (_, operation) => {
      const before = await rowsOf(["north"]);
      for (const below of [NORTH, ""]) {
        const [code] = await send(operation, () => "north", await admin(), below);
        expect(code).toMatch(below === "" ? /^authentication_required$/ : /^(?:not_found|invalid_request)$/);
      }
      expect(await rowsOf(["north"])).toEqual(before);
    },
  );

  test.each(
    ofAdmins.filter(({ route }) => route.method !== "get").map((operation) => [operation.id, operation] as const),
  )("has the rights for %s", async (_, operation) => {
    const [code, text] = await send(operation, () => "north", await admin(), NORTH);
    // Other services do not run, and earlier operations deleted some objects.
    expect([code, text]).toEqual([expect.stringMatching(/^(?:ok|tenant_unavailable|conflict|not_found)$/), text]);
    expect(text).not.toContain("record_reference_missing");
  });
});

describe("a BASE_USER below the console's path", () => {
  const ofUsers = ofRoots.filter(admits("BASE_USER"));
  const ofOthers = ofRoots.filter((operation) => admits("ADMIN")(operation) && !admits("BASE_USER")(operation));

  test("reads the state of the own tenant", async () => {
    await expectReads(ofUsers, await loginAtConsole("north", "bob"), consoleApi("north"));
  });

  test.each(ofOthers.map((operation) => [operation.id, operation] as const))("cannot use %s", async (_, operation) => {
    const before = await rowsOf(["north"]);
    const [code, text] = await send(
      operation,
      () => "north",
      await loginAtConsole("north", "bob"),
      consoleApi("north"),
    );
    expect([code, text]).toEqual(["forbidden", text]);
    expect(await rowsOf(["north"])).toEqual(before);
  });
});
