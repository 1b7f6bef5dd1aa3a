import { describe, expect, test } from "vitest";
import type { Connections } from "./connections.ts";
import { SettingsError } from "./faults.ts";
import { checkSettings, readSettings } from "./settings.ts";

const none: Connections = {
  databaseUrl: undefined,
  restUrl: undefined,
  serviceRoleKey: undefined,
  accessIssuer: undefined,
};
const settings = (doors: object[], doorSecrets?: unknown) => ({
  platformStack: "prod",
  clients: [{ slug: "acme", name: "Acme", plan: "pro", instances: [{ doors }] }],
  ...(doorSecrets !== undefined && { doorSecrets }),
});
const check = (doors: object[], doorSecrets?: unknown) => {
  const config: Record<string, unknown> = settings(doors, doorSecrets);
  const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return readSettings({ get: (key: string) => textOf(config[key]) as never }, {});
};

function faultsOf(doors: object[], doorSecrets?: unknown): readonly string[] {
  try {
    check(doors, doorSecrets);
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
  return [];
}
const AT = "tenantry:clients[0].instances[0].doors";

describe("doors of an instance", () => {
  test("have defaults, and generated secrets need none", () => {
    const [client] = check([{ name: "deploys", kind: "github" }]).clients;
    expect(client?.instances[0]?.doors).toEqual([
      { name: "deploys", kind: "github", state: "active", keyVersion: 1, secretsVersion: 1, overlapSeconds: 86_400 },
    ]);
    const [without] = checkSettings(
      { ...settings([]), clients: [{ slug: "acme", name: "A", plan: "pro" }] },
      none,
    ).clients;
    expect(without?.instances).toEqual([{ tokenVersion: 1, doors: [] }]);
  });

  test.each([
    [{ name: "Deploys", kind: "github" }, `${AT}[0].name: must have 1 to 40 lower-case letters`],
    [{ name: "wake", kind: "github" }, `${AT}[0].name: is a path of the gateway itself`],
    [{ name: "a", kind: "telephone" }, `${AT}[0].kind: unknown kind "telephone"; use one of telegram, slack,`],
    [{ name: "a", kind: "github", state: "off" }, `${AT}[0].state: unknown state "off"`],
    [{ name: "a", kind: "github", overlapSeconds: 604_801 }, `${AT}[0].overlapSeconds: `],
    [{ name: "a", kind: "github", secrets: {} }, `${AT}[0]: unknown setting "secrets"`],
  ])("rejects %j", (door, fault) => {
    expect(faultsOf([door])).toEqual([expect.stringContaining(fault)]);
  });

  test("have different names, and former names that no other door has", () => {
    const door = (name: string, formerName?: string) => ({ name, kind: "bearer", ...(formerName && { formerName }) });
    expect(faultsOf([door("a"), door("a")])).toEqual([`${AT}[1].name: a is declared twice; rename or remove one`]);
    expect(faultsOf([door("a", "b"), door("b", "a")])).toEqual([
      `${AT}[0].formerName: b is the name of a door; deploy the renaming first`,
      `${AT}[1].formerName: a is the name of a door; deploy the renaming first`,
    ]);
    expect(faultsOf([door("a", "c"), door("b", "c")])).toHaveLength(2);
    expect(faultsOf([door("a", "c"), door("b")])).toEqual([]);
  });
});

describe("secrets of doors", () => {
  const slack = { name: "team", kind: "slack" };
  test("are required if the vendor issues them, and checked by the kind without being quoted", () => {
    expect(check([slack], { acme: { team: { signingSecret: "s" } } }).doorSecrets).toEqual({
      acme: { team: { signingSecret: "s" } },
    });
    const faults = [
      faultsOf([slack]),
      faultsOf([slack], { acme: { team: { signingSecret: "s", hush: "hush" } } }),
      faultsOf([{ name: "bot", kind: "discord" }], { acme: { bot: { publicKey: "hush" } } }),
      faultsOf([slack], { acme: { team: { signingSecret: ["hush"] } } }),
    ];
    expect(faults).toEqual([
      [
        expect.stringMatching(
          /^tenantry:clients\[0\]\.instances\[0\]\.doors\[0\]: the secrets in tenantry:doorSecrets\.acme\.team are invalid: signingSecret: /,
        ),
      ],
      [expect.stringContaining('Unrecognized key: "hush"')],
      [expect.stringContaining("publicKey: The public key must have 64 hexadecimal digits")],
      [expect.stringMatching(/^tenantry:doorSecrets\.acme\.team\.signingSecret: /)],
    ]);
    expect(JSON.stringify([faults[0], faults[2], faults[3]])).not.toContain("hush");
  });

  test("belong to a declared door", () => {
    const secrets = { acme: { team: { signingSecret: "s" }, hush: { token: "t" } }, other: { team: { token: "t" } } };
    expect(faultsOf([slack], secrets)).toEqual([
      "tenantry:doorSecrets: names doors that tenantry:clients does not declare (2); declare the doors, or remove their secrets",
    ]);
  });
});
