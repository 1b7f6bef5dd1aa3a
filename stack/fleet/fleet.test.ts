import { describe, expect, test } from "vitest";
import { TenantryProvider } from "#components/resources/tenantry-provider.ts";
import { type Declared, declare, only } from "#components/testing/declared.ts";
import { fakeContext } from "#components/testing/fakes.ts";
import type { Manager } from "#domain/entities/entity.ts";
import type { Environment } from "#domain/environment.ts";
import { checkSettings } from "../settings/settings.ts";
import { declareFleet, type FleetArgs } from "./fleet.ts";
import { planFleet } from "./plan.ts";
import type { FleetSnapshot } from "./snapshot.ts";

const snapshot: FleetSnapshot = {
  empty: false,
  read: true,
  pool: [],
  bindings: new Map(),
  partners: {},
  clients: {},
  earlierClients: {},
  doors: {},
  platformOwners: [],
  tenantCounts: new Map(),
  needs: undefined,
};
const entry = {
  gatewayId: "a",
  rowId: "row",
  owner: undefined,
  declaredBy: "production" as const,
  enabled: true,
  maxInstances: 9,
  bound: 0,
};
const noConnections = {
  databaseUrl: undefined,
  restUrl: undefined,
  serviceRoleKey: undefined,
  accessIssuer: undefined,
};

async function deploy(raw: Record<string, unknown>, more: Partial<FleetArgs> = {}): Promise<Declared[]> {
  const settings = checkSettings({ platformStack: "prod", ...raw }, noConnections);
  const fleet = { ...settings, createDedicatedAiGateways: true, snapshot, ...more };
  const { declared } = await declare(() =>
    declareFleet({
      ...fleet,
      plan: planFleet(fleet),
      context: fakeContext({ environment: fleet.environment }),
      provider: new TenantryProvider("tenantry"),
    }),
  );
  return declared;
}
const client = (slug: string, more = {}) => ({ slug, name: slug, plan: "basic", ...more });
const gatewayOf = (declared: Declared[], slug: string) =>
  only(declared, "DatabaseRecord", `instance-${slug}`).inputs.values;

describe("declareFleet", () => {
  test("binds tenants to another stack's pool from the database, and preserves existing bindings", async () => {
    const declared = await deploy(
      { clients: [client("new"), client("old")] },
      {
        snapshot: {
          ...snapshot,
          pool: [
            { ...entry, gatewayId: "a", rowId: "row-a", maxInstances: 1, bound: 1 },
            { ...entry, gatewayId: "b", rowId: "row-b" },
          ],
          bindings: new Map([["old", { gatewayId: "a", pooled: true, clientId: "client-old", isDeployed: true }]]),
        },
      },
    );
    expect(gatewayOf(declared, "old")).toMatchObject({ ai_gateway_id: "a", ai_gateway_pool_id: "row-a" });
    expect(gatewayOf(declared, "new")).toMatchObject({ ai_gateway_id: "b", ai_gateway_pool_id: "row-b" });
  });

  test("numbers a tenant at AI gateways by earlier clients with its slug, so that spending is not inherited", async () => {
    const declared = await deploy(
      { clients: [client("new"), client("third")] },
      { snapshot: { ...snapshot, earlierClients: { third: 2 } } },
    );
    const bindings = (slug: string) => only(declared, "NamespacedScript", slug).inputs.bindings;
    expect(bindings("third")).toMatchObject({ AI_GATEWAY_TENANT: { type: "plain_text", text: "third~3" } });
    expect(bindings("new")).not.toHaveProperty("AI_GATEWAY_TENANT");
  });

  test("refuses with no_ai_gateway_capacity and the tenant when dedicated gateways are disabled", async () => {
    const run = deploy({ clients: [client("acme")] }, { createDedicatedAiGateways: false });
    await expect(run).rejects.toThrow(/acme: no_ai_gateway_capacity: .*Raise a capacity/);
  });

  test("refuses to declare a gateway of another environment's pool", async () => {
    const pool = [{ ...entry, maxInstances: 1, bound: 1 }];
    const settings = [{ id: "a", capacity: 1, enabled: true }];
    const declaring = (environment: Environment) =>
      deploy({}, { environment, snapshot: { ...snapshot, pool }, poolSettings: settings, poolEntries: { a: "row" } });
    await expect(declaring("development")).rejects.toThrow(/ {2}a: production's stack declares it; choose another id/);
    await expect(declaring("production")).resolves.toBeDefined();
  });

  test("refuses what another stack owns with each remedy, unless this run may take it over", async () => {
    const owner = (stack: string) => `urn:pulumi:${stack}::tenantry::tenantry:index:DatabaseRecord::x`;
    const known = {
      id: "row",
      createdAt: new Date(),
      plan: "basic",
      partner: undefined,
      isDashboards: false,
      hasInstance: true,
    };
    const others = { owner: owner("prod-acme") };
    const before = {
      clients: {
        acme: { ...known, ...others },
        mine: { ...known, owner: owner("unit") },
        free: { ...known, owner: "" },
      },
      partners: { globex: { id: "row", createdAt: new Date(), ...others } },
      pool: ["a", "of-nobody-here"].map((gatewayId) => ({ ...entry, gatewayId, ...others })),
    };
    const run = (takeOver: ReadonlySet<string>) =>
      deploy(
        { clients: [client("acme"), client("mine"), client("free")], partners: [{ slug: "globex", name: "Globex" }] },
        {
          snapshot: { ...snapshot, ...before },
          poolSettings: [{ id: "a", capacity: 9, enabled: true }],
          poolEntries: { a: "row" },
          takeOver,
        },
      );
    const refused = run(new Set());
    await expect(refused).rejects.toThrow(
      /the client acme belongs to the stack tenantry\/prod-acme\. .* set TENANTRY_TAKE_OVER=acme for one run\./,
    );
    await expect(refused).rejects.toThrow(/the partner globex belongs to .*\n {2}the AI gateway a belongs to/);
    await expect(refused).rejects.not.toThrow(/mine|free|of-nobody-here/);
    const declared = await run(new Set(["acme", "globex", "a"]));
    const takesOver = (name: string) => only(declared, "DatabaseRecord", name).inputs.takeOver;
    expect(["client-acme", "instance-acme", "partner-globex", "client-mine"].map(takesOver)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(only(declared, "NamespacedScript", "acme").inputs.takeOver).toBe(true);
    expect(only(declared, "ContainerApplication", "acme").inputs.takeOver).toBe(true);
  });

  test("links clients to partners of this stack and of the database, and refuses unknown ones", async () => {
    const declared = await deploy(
      {
        partners: [{ slug: "here", name: "Here" }],
        clients: [client("one", { partner: "here" }), client("two", { partner: "there" }), client("three")],
      },
      { snapshot: { ...snapshot, partners: { there: { id: "partner-there", owner: undefined } } } },
    );
    const partnerOf = (slug: string) => only(declared, "DatabaseRecord", `client-${slug}`).inputs.values;
    expect(partnerOf("one")).toMatchObject({ partner_id: "row-of-partner-here" });
    expect(partnerOf("two")).toMatchObject({ partner_id: "partner-there" });
    expect(partnerOf("three")).toMatchObject({ partner_id: null });
    await expect(deploy({ clients: [client("four", { partner: "nobody" })] })).rejects.toThrow(
      /four: unknown partner "nobody"/,
    );
  });

  test("refuses clients of the other manager in a preview, with the handover command", async () => {
    const row = {
      id: "row",
      createdAt: new Date(),
      plan: "basic",
      partner: undefined,
      owner: undefined,
      hasInstance: true,
    };
    const clients = { acme: { ...row, isDashboards: true }, lab: { ...row, isDashboards: false } };
    const run = (managedBy: Manager, ...slugs: string[]) =>
      deploy({ managedBy, clients: slugs.map((slug) => client(slug)) }, { snapshot: { ...snapshot, clients } });
    await expect(run("git", "acme", "lab", "new")).rejects.toThrow(
      /that the dashboard manages:\n {2}acme: .*npm run fleet -- adopt acme; .*npm run fleet -- release acme$/,
    );
    const deleteAfter = new Date("2026-12-01T07:00:00Z");
    const grace = { gone: { ...row, id: "row-of-gone", isDashboards: true, deleteAfter } };
    const again = deploy({ clients: [client("gone")] }, { snapshot: { ...snapshot, clients: grace } });
    await expect(again).rejects.toThrow(
      /gone: a deleted client has this slug until 2026-12-01T07:00:00.000Z.*POST \/client\/row-of-gone\/restore.*adopt gone.*DELETE \/client\/row-of-gone\?now=true/,
    );
    await expect(run("dashboard", "lab")).rejects.toThrow("npm run fleet -- release lab");
    await expect(run("dashboard", "acme")).resolves.toBeDefined();
  });

  test("refuses to remove a partner that clients have, those of other stacks too", async () => {
    const owner = "urn:pulumi:unit::tenantry::tenantry:index:DatabaseRecord::partner-globex";
    const row = { id: "row", createdAt: new Date(), plan: "pro", isDashboards: false, hasInstance: true };
    const globex = { ...row, partner: "globex", owner: undefined };
    const run = (clients: FleetSnapshot["clients"], declared: unknown[], partners: unknown[] = []) =>
      deploy(
        { clients: declared, partners },
        {
          snapshot: {
            ...snapshot,
            clients,
            partners: { globex: { id: "row", owner } },
          },
        },
      );
    const theirs = /elsewhere: another stack's client has the partner "globex"; declare it until that has another/;
    await expect(run({ elsewhere: globex }, [])).rejects.toThrow(theirs);
    await expect(run({ mine: globex }, [client("mine", { partner: "globex" })])).rejects.toThrow(
      /mine: unknown partner "globex"/,
    );
    await expect(run({ gone: { ...globex, owner }, mine: globex }, [client("mine")])).resolves.toBeDefined();
    await expect(run({ elsewhere: globex }, [], [{ slug: "globex", name: "Globex" }])).resolves.toBeDefined();
  });
});
