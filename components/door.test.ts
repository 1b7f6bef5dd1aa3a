import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { Client } from "./client.ts";
import type { DoorDeclaration } from "./platform-context.ts";
import { TenantryProvider } from "./resources/tenantry-provider.ts";
import { declare, only, resolved } from "./testing/declared.ts";
import { fakeContext, fakePlatform } from "./testing/fakes.ts";

const SECRET_SIGNATURE = "4dabf18193072939515e22adb298388d";
const door = (name: string, more: Partial<DoorDeclaration> = {}): DoorDeclaration => ({
  ...{ name, kind: "github", state: "active", keyVersion: 1, secretsVersion: 1, overlapSeconds: 60 },
  ...{ secrets: {}, missing: false, ...more },
});
const deploy = (doors: DoorDeclaration[], dispatchUrl = "https://_dispatch.agents.example.com") =>
  declare(
    () =>
      new Client("acme", {
        context: {
          ...fakeContext({ doorsProvider: new TenantryProvider("tenantry-doors", { doorsKey: "key" }) }),
          outputs: fakeContext().outputs.apply(() => ({ ...fakePlatform, dispatchUrl })),
        },
        ...{ slug: "acme", displayName: "Acme", plan: "pro", status: "active", takeOver: true, doors },
        gateway: { kind: "pooled", gatewayId: "pool-a", poolId: "row" },
      }),
  );

test("declares each door with a random key and generated secrets, which are secret", async () => {
  const { declared, result } = await deploy([
    door("deploys"),
    door("wa", { kind: "whatsapp", secrets: { appSecret: "hush" }, keyVersion: 2, secretsVersion: 3, missing: true }),
  ]);
  const { key, secrets, ...inputs } = only(declared, "index:Door", "acme.deploys").inputs;
  expect(inputs).toEqual({
    ...{ instanceId: "row-of-instance-acme", kind: "github", name: "deploys", state: "active", overlapSeconds: 60 },
    ...{ declared: ["deploys", "wa"], missing: false, takeOver: true },
  });
  expect([key, secrets]).toEqual([
    expect.objectContaining({ [SECRET_SIGNATURE]: expect.any(String), value: "password-of-acme.deploys.key" }),
    expect.objectContaining({ [SECRET_SIGNATURE]: expect.any(String) }),
  ]);
  expect(only(declared, "index:Door", "acme.wa").inputs).toMatchObject({
    secrets: {
      value: { appSecret: "hush", verifyToken: "password-of-acme.wa.verifyToken" },
    },
    missing: true,
  });
  const random = declared.filter(({ name }) => name.startsWith("acme."));
  expect(random.flatMap(({ name, inputs: { length, keepers } }) => (length ? [[name, length, keepers]] : []))).toEqual([
    ["acme.deploys.key", 24, { kind: "github", version: "1" }],
    ["acme.deploys.secret", 43, { kind: "github", version: "1" }],
    ["acme.wa.key", 24, { kind: "whatsapp", version: "2" }],
    ["acme.wa.verifyToken", 43, { kind: "whatsapp", version: "3" }],
  ]);
  expect(only(declared, "index:Door", "acme.wa").provider).toContain("::tenantry-doors::");
  const { deploys } = result.doors;
  expect(deploys && (await resolved(deploys))).toEqual({
    url: "https://hooks.agents.example.com/password-of-acme.deploys.key",
    secrets: { secret: "password-of-acme.deploys.secret" },
  });
  expect(deploys && (await pulumi.isSecret(deploys))).toBe(true);
});

test("gives addresses the scheme and port of the platform", async () => {
  const { result } = await deploy([door("deploys")], "http://_dispatch.agents.example.com:8787");
  const { deploys } = result.doors;
  expect(deploys && (await resolved(deploys)).url).toMatch(/^http:\/\/hooks\.agents\.example\.com:8787\//);
});
