import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fakePlatform } from "#components/testing/fakes.ts";
import { insertClient, insertInstance, insertPoolEntry, setAccountLimits } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { NO_FLAGS } from "../settings/run-flags.ts";
import { checkSettings, type TenantStackSettings } from "../settings/settings.ts";
import { placeFleet } from "./placement.ts";

const noConnections = {
  databaseUrl: undefined,
  restUrl: undefined,
  serviceRoleKey: undefined,
  accessIssuer: undefined,
};
const urn = (stack: string) => `urn:pulumi:${stack}::tenantry::tenantry:index:DatabaseRecord::x`;

const databases: TestDatabase[] = [];
beforeAll(async () => {
  for (let count = 0; count < 2; count += 1) databases.push(await startTestDatabase());
});
afterAll(() => Promise.all(databases.map((database) => database.stop())));
beforeEach(async () => {
  for (const { db } of databases) {
    for (const table of ["instances", "clients", "partners", "ai_gateways", "account_limits"] as const)
      await db.deleteFrom(`tenantry.${table}`).execute();
  }
});

const databaseAt = (index: number): TestDatabase => {
  const found = databases[index];
  if (found === undefined) throw new Error("It was not started.");
  return found;
};

/** Outputs of the platforms `a` and `b`, each with a database and room only in a pool; `more` overrides them. */
const deployed = (more: Record<string, object> = {}): Record<string, object> =>
  Object.fromEntries(
    ["a", "b"].map((name, index) => [
      `organization/tenantry/${name}`,
      {
        platform: { ...fakePlatform, createDedicatedAiGateways: false },
        databaseUrl: databaseAt(index).url,
        invalidateToken: "token",
        ...more[name],
      },
    ]),
  );

/** Places a stack's tenants. @returns the platform, and the stacks that this one references */
async function place(raw: object, outputs = deployed(), { preview = false, takeOver = [] as string[] } = {}) {
  const settings = checkSettings({ platformStack: ["a", "b"], ...raw }, noConnections, {
    ...NO_FLAGS,
    takeOver: new Set(takeOver),
  }) as TenantStackSettings;
  const referred: string[] = [];
  await pulumi.runtime.setMocks(
    {
      newResource: ({ name, type }) => {
        if (type === "pulumi:pulumi:StackReference") referred.push(name);
        return { id: name, state: { name, outputs: {}, secretOutputNames: [] } };
      },
      call: ({ inputs }) => {
        const found = outputs[inputs.name];
        if (found !== undefined) return { outputs: found, secretOutputNames: ["databaseUrl", "invalidateToken"] };
        return Promise.reject(Object.assign(new Error(), { details: `unknown stack "${inputs.name}"` }));
      },
    },
    "tenantry",
    "unit",
    preview,
  );
  const { platform } = await placeFleet(settings);
  await pulumi.runtime.disconnect();
  return { stack: platform.stack, referred };
}

const clientId = async (index: number, slug: string): Promise<string> => {
  const found = databaseAt(index).db.selectFrom("tenantry.clients").select("id").where("slug", "=", slug);
  return (await found.executeTakeFirstOrThrow()).id;
};

const clients = (...slugs: string[]) => ({ clients: slugs.map((slug) => ({ slug, name: slug, plan: "basic" })) });
const at = (name: string) => ({ stack: `organization/tenantry/${name}`, referred: [`organization/tenantry/${name}`] });
const pool = (index: number, max_instances: number) =>
  insertPoolEntry(databaseAt(index).db, { gateway_id: `pool-${index}`, max_instances });

describe("of several platforms", () => {
  test("the first one with a slot for each tenant is chosen and referenced", async () => {
    await pool(0, 1);
    await pool(1, 2);
    expect(await place(clients("acme"))).toEqual(at("a"));
    expect(await place(clients("acme", "lab"))).toEqual(at("b"));
    await expect(place(clients("acme", "lab", "more"))).rejects.toThrow(
      /no platform has room .*\n {2}organization\/tenantry\/a: no AI gateway is available .*\n {4}lab: no_ai_gateway_capacity.*\n {4}more.*\n {2}organization\/tenantry\/b: .*\n {4}more: no_ai/,
    );
  });

  test("the account's limits count, and what the domain leaves for a host", async () => {
    const limits = { ...fakePlatform.limits, accessGroups: 3 };
    const room = { platform: fakePlatform };
    expect(await place(clients("acme"), deployed({ a: { platform: { ...fakePlatform, limits } }, b: room }))).toEqual(
      at("b"),
    );
    const domain = `${"d".repeat(50)}.example.com`;
    expect(await place(clients("acme"), deployed({ a: { platform: { ...fakePlatform, domain } }, b: room }))).toEqual(
      at("b"),
    );
  });

  test("the database refuses a place that was taken since the plan, and the next plan chooses another platform", async () => {
    const platform = { ...fakePlatform, limits: { ...fakePlatform.limits, accessGroups: 4 } };
    const outputs = deployed({ a: { platform }, b: { platform } });
    const { db } = databaseAt(0);
    await setAccountLimits(db, platform.limits);
    expect(await place(clients("lab"), outputs)).toEqual(at("a"));
    await insertClient(db, { slug: "acme", owner: urn("other") });
    const refusal = await insertClient(db, { slug: "lab", owner: urn("unit") }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ message: expect.stringMatching(/^no_account_capacity: .*; plan again/) });
    expect(await place(clients("lab"), outputs)).toEqual(at("b"));
    // The existing one stays, and its runs continue.
    await databaseAt(1).db.deleteFrom("tenantry.clients").execute();
    await insertClient(databaseAt(1).db, { slug: "lab", owner: urn("unit") });
    const full = { ...platform, limits: { ...platform.limits, accessGroups: 0 } };
    await insertInstance(databaseAt(1).db, await clientId(1, "lab"), { access_aud: "aud", ai_gateway_id: "own" });
    expect(await place(clients("lab"), deployed({ a: { platform: full }, b: { platform: full } }))).toEqual(at("b"));
  });

  test.each([
    ["a client", async () => void (await insertClient(databaseAt(1).db, { slug: "acme", owner: urn("unit") }))],
    [
      "a client that is declared no more",
      async () => void (await insertClient(databaseAt(1).db, { slug: "gone", owner: urn("unit") })),
    ],
    ["a client of nobody's by its slug", async () => void (await insertClient(databaseAt(1).db, { slug: "acme" }))],
    [
      "a partner",
      async () => {
        const row = { slug: "globex", name: "Globex", owner: urn("unit") };
        await databaseAt(1).db.insertInto("tenantry.partners").values(row).execute();
      },
    ],
  ])("the one that has %s is kept, although another has room", async (_, insert) => {
    await pool(0, 9);
    await pool(1, 9);
    await insert();
    expect(await place(clients("acme"))).toEqual(at("b"));
  });

  test("a slug of another stack, or of the dashboard, is in use at every one", async () => {
    await pool(0, 9);
    await pool(1, 9);
    await insertClient(databaseAt(1).db, { slug: "acme", owner: urn("other") });
    await expect(place(clients("acme"))).rejects.toThrow(
      /b has acme \(of the stack tenantry\/other\);.*\n {2}.*\n {4}the client acme belongs to the stack tenantry\/other\. Choose another name/,
    );
    expect(await place(clients("acme"), deployed(), { takeOver: ["acme"] })).toEqual(at("b"));
    await insertClient(databaseAt(0).db, { slug: "lab", owner: urn("unit") });
    await expect(place(clients("acme", "lab"))).rejects.toThrow(
      /a slug is one tenant's at all platforms; .*\n {2}organization\/tenantry\/a has lab\n {2}organization\/tenantry\/b has acme \(of the stack tenantry\/other\)$/,
    );
    await insertClient(databaseAt(0).db, { slug: "hooli", managed_by: "dashboard" });
    await expect(place(clients("hooli"))).rejects.toThrow("npm run fleet -- adopt hooli");
  });

  test("two names of one stack are refused", async () => {
    await expect(place({ platformStack: ["a", "organization/tenantry/a"] })).rejects.toThrow(
      "a and organization/tenantry/a are one platform; remove one of the two",
    );
  });

  test("one of another environment, one that is not deployed, and one whose database does not respond end the run", async () => {
    await pool(0, 9);
    const staging = { platform: { ...fakePlatform, environment: "staging" } };
    await expect(place(clients("acme"), deployed({ b: staging }))).rejects.toThrow(
      "the stack organization/tenantry/b has the environment staging, this stack production",
    );
    await expect(place({ ...clients("acme"), platformStack: ["a", "c"] })).rejects.toThrow(
      "the stack c holds no deployed platform; run pulumi up there first, or correct tenantry:platformStack",
    );
    const silent = { databaseUrl: "postgres://nobody:hush@127.0.0.1:1/none" };
    await expect(place(clients("acme"), deployed({ b: silent }))).rejects.toThrow(
      /^the database of organization\/tenantry\/b cannot be read \(ECONNREFUSED\); check tenantry:databaseUrl there/,
    );
  });

  test("a preview accepts one that is not deployed, in order", async () => {
    const preview = { preview: true };
    const raw = { ...clients("acme"), platformStack: ["a", "c"] };
    expect(await place(raw, deployed(), preview)).toEqual({ stack: "c", referred: [] });
    await pool(0, 9);
    expect(await place(raw, deployed(), preview)).toEqual(at("a"));
  });
});

test("a single platform is always chosen, and its refusals are shown unchanged", async () => {
  const raw = { ...clients("acme"), platformStack: "a" };
  await expect(place(raw)).rejects.toThrow(/^no AI gateway is available for every tenant:\n {2}acme: no_ai/);
  await pool(0, 1);
  expect(await place(raw)).toEqual(at("a"));
});
