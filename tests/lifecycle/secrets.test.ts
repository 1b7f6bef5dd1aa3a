import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { expect, test } from "vitest";
import * as z from "zod";
import type { Edge } from "#local/edge.ts";
import { resolvedDoor } from "#workers/contracts/door-entry.ts";
import { openSecrets } from "#workers/shared/doors/door-secrets.ts";
import { changedResources, pulumi } from "../testing/engine.ts";
import { encryptByPassphrase, platformSettings, stackOf, temporaryEdge } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

const exported = z.object({
  deployment: z.object({
    resources: z.array(z.object({ urn: z.string(), outputs: z.record(z.string(), z.unknown()).default({}) })),
  }),
});
/** A secret output as `stack export --show-secrets` writes it: JSON in JSON. */
const secretText = z.object({ plaintext: z.string().regex(/^"/) });

const doorOutputs = z.record(
  z.string(),
  z.record(z.string(), z.object({ url: z.url(), secrets: z.record(z.string(), z.string()) })),
);

const PROVIDER_KEY = "sk-of-the-provider-openai";
const APP_SECRET = "app-secret-of-the-vendor-meta";
const OTHER_APP_SECRET = "another-app-secret-of-meta";

/** With every secret that a tenant can have. */
function settings(clients: Parameters<typeof platformSettings>[0]) {
  const all = platformSettings(clients);
  return { ...all, "tenantry:platform": { ...all["tenantry:platform"], bucketCredentials: true } };
}

/** Encrypted in the stack file, which each declaration rewrites. */
async function setSecret(edge: Edge, project: string, ...setting: string[]): Promise<void> {
  const run = await pulumi(edge, project, ["config", "set", "--secret", ...setting, "-s", "whole"]);
  expect(run, run.output).toMatchObject({ code: 0 });
}

test("keeps every secret out of the state, the engine's output and the edge's log, also those of doors", async () => {
  encryptByPassphrase();
  const edge = await temporaryEdge();
  const acme = {
    slug: "acme",
    doors: [
      { name: "deploys", kind: "github" },
      { name: "wa", kind: "whatsapp" },
    ],
  };
  const stack = await stackOf(edge, settings([acme, { slug: "lab", plan: "pro" }]));
  const project = join(edge.directory, "project");
  await setSecret(edge, project, "tenantry:providerKeys", JSON.stringify({ openai: PROVIDER_KEY }));
  await setSecret(edge, project, "--path", "tenantry:doorSecrets.acme.wa.appSecret", APP_SECRET);
  const places: [string, string][] = [];
  const onOutput = (text: string) => places.push(["the engine's words", text]);
  await stack.up({ onOutput });
  const first = await doorsOf(stack, edge);
  expect(first).toMatchObject({
    deploys: { state: "active", secrets: { secret: expect.stringMatching(/^\w{43}$/) } },
    wa: { state: "active", secrets: { appSecret: APP_SECRET, verifyToken: expect.stringMatching(/^\w{43}$/) } },
  });
  const secrets = await secretValues(edge, project);
  expect(secrets.get(`{"openai":"${PROVIDER_KEY}"}`)).toMatch(/PROVIDER_KEYS|providerKeys/);
  expect(secrets.size).toBeGreaterThan(12);

  // Changes, drift and the plain command line have different output.
  const renamed = { name: "ci", formerName: "deploys", kind: "github", state: "disabled" };
  const wa = { name: "wa", kind: "whatsapp", keyVersion: 2, overlapSeconds: 0 };
  const changed = await stackOf(edge, settings([{ slug: "acme", plan: "free", doors: [renamed, wa] }]));
  await setSecret(edge, project, "--path", "tenantry:providerKeys.openai", PROVIDER_KEY);
  await setSecret(edge, project, "--path", "tenantry:doorSecrets.acme.wa.appSecret", OTHER_APP_SECRET);
  const ofDoors = (changes: string[]) =>
    changes.filter((change) => / (Door|RandomPassword) acme\./.test(change)).toSorted();
  expect(ofDoors(await changedResources(changed, "up", { onOutput }))).toEqual([
    ...["create-replacement RandomPassword acme.wa.key", "delete-replaced RandomPassword acme.wa.key"],
    ...["replace RandomPassword acme.wa.key", "update Door acme.ci", "update Door acme.wa"],
  ]);
  const second = await doorsOf(changed, edge);
  expect(second).toMatchObject({
    ci: { ...first.deploys, state: "disabled" },
    wa: {
      ...first.wa,
      url: expect.not.stringContaining(first.wa?.url ?? ""),
      secrets: { appSecret: OTHER_APP_SECRET },
    },
  });
  expect(edge.store.get("script", "tenants/tenant-acme")?.bindings).toContainEqual(
    expect.objectContaining({ name: "PROVIDER_KEYS", text: JSON.stringify({ openai: PROVIDER_KEY }) }),
  );
  await changed.refresh({ onOutput });
  // A door whose row is gone comes back with the next run.
  await sql(edge, "delete from tenantry.doors where name = 'ci'");
  expect(ofDoors(await changedResources(changed, "up", { onOutput }))).toEqual(["update Door acme.ci"]);
  expect(await doorsOf(changed, edge)).toEqual(second);
  expect(await changedResources(changed, "up", { onOutput })).toEqual([]);
  const commands = [
    ["stack", "output"],
    ["preview", "--json"],
    ["preview", "--diff"],
  ];
  for (const command of commands) {
    const run = await pulumi(edge, project, [...command, "-s", "whole"]);
    expect(run, run.output).toMatchObject({ code: 0 });
    places.push([`pulumi ${command.join(" ")}`, run.output]);
  }

  places.push(
    ["the edge's log", readFileSync(join(edge.directory, "edge.log"), "utf8")],
    ...filesUnder(join(edge.directory, "pulumi")),
    ...filesUnder(project),
  );
  const shown = [...secrets].flatMap(([value, name]) =>
    places.filter(([, text]) => text.includes(value)).map(([place]) => `${name} in ${place}`),
  );
  expect(shown).toEqual([]);
});

/** Returns the doors by name: their addresses, and what dispatch reads of them, with decrypted secrets. */
async function doorsOf(stack: Stack, edge: Edge) {
  const { doors, doorsKey } = await stack.outputs();
  expect([doors?.secret, doorsKey?.secret]).toEqual([true, true]);
  const { acme = {} } = doorOutputs.parse(JSON.parse(doors?.value));
  const found = Object.entries(acme).map(async ([name, { url, secrets: generated }]) => {
    const hash = createHash("sha256").update(new URL(url).pathname.slice(1)).digest("hex");
    const { door } = resolvedDoor.parse(
      Object(await sql(edge, "select api.resolve_door($1) as found", [hash]))[0].found,
    );
    const { id = "", secrets: sealed = "", state } = door ?? {};
    const secrets = await openSecrets({ used: doorsKey?.value }, id, Buffer.from(sealed, "base64"));
    expect([door?.name, secrets]).toEqual([name, expect.objectContaining(generated)]);
    return [name, { id, url, state, secrets }] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

/** Every secret of the deployment and the machine, by its value. */
async function secretValues(edge: Edge, project: string): Promise<Map<string, string>> {
  const secrets = new Map<string, string>([
    [edge.apiToken, "the API token"],
    [edge.serviceRoleKeys.production, "the service-role key"],
    [edge.passphrase, "the passphrase"],
    [PROVIDER_KEY, "the provider's key"],
    [APP_SECRET, "a door's secret"],
    [OTHER_APP_SECRET, "a door's other secret"],
    [decodeURIComponent(new URL(edge.databaseUrl).password), "the database's password"],
  ]);
  for (const { id, bindings } of edge.store.list("script")) {
    for (const binding of bindings) {
      // An access key's id is not secret.
      if (binding.type === "secret_text" && binding.name !== "R2_ACCESS_KEY_ID")
        secrets.set(String(binding.text), `${binding.name} of ${id}`);
    }
  }
  for (const { origin } of edge.store.list("hyperdrive")) secrets.set(origin.password, "the dashboard's password");
  const { output } = await pulumi(edge, project, ["stack", "export", "--show-secrets", "-s", "whole"]);
  for (const { urn, outputs } of exported.parse(JSON.parse(output)).deployment.resources) {
    for (const [name, value] of Object.entries(outputs)) {
      const { success, data } = secretText.safeParse(value);
      if (success) secrets.set(JSON.parse(data.plaintext), `${name} of ${urn.split("::").at(-1)}`);
    }
  }
  return secrets;
}

function filesUnder(directory: string): [string, string][] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), "utf8")]);
}
