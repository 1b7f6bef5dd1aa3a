import { describe, expect, test } from "vitest";
import type { Environment } from "#domain/environment.ts";
import { Client } from "../client.ts";
import { declare, only } from "../testing/declared.ts";
import { fakeContext } from "../testing/fakes.ts";
import type { DispatchAccess } from "./dispatch-worker.ts";

const TOKEN = "a-token-that-stays-one";
const dispatch: DispatchAccess = { url: "https://_dispatch.agents.example.com", token: TOKEN };

async function application(environment: Environment, access?: DispatchAccess, image?: string) {
  const { declared } = await declare(
    () =>
      new Client("acme", {
        context: fakeContext({ environment, dispatch: access }),
        slug: "acme",
        displayName: "Acme",
        plan: "pro",
        status: "active",
        gateway: { kind: "dedicated", gatewayId: "tenantry-acme" },
        image,
      }),
  );
  return only(declared, "ContainerApplication").inputs;
}

describe("a tenant's containers", () => {
  test.each([
    ["production", "and before they go", true],
    ["development", "but not before they go, for the bucket goes too", false],
  ] as const)("of %s are backed up before they are replaced, %s", async (environment, _, beforeDelete) => {
    const { backup } = await application(environment, dispatch);
    expect(backup).toMatchObject({
      value: { url: "https://_dispatch.agents.example.com/_backup/acme", token: TOKEN, beforeDelete },
    });
  });

  test("store the token as a secret", async () => {
    const { backup, ...rest } = await application("production", dispatch);
    expect(backup).toHaveProperty("4dabf18193072939515e22adb298388d");
    expect(JSON.stringify(rest)).not.toContain(TOKEN);
  });

  test("run the platform's image unless the tenant is pinned to another", async () => {
    const { image } = await application("production");
    expect(image).not.toBe("registry.test/gateway:pinned");
    expect(await application("production", undefined, "registry.test/gateway:pinned")).toMatchObject({
      image: "registry.test/gateway:pinned",
    });
  });

  test("are replaced without a backup when that was requested", async () => {
    expect(await application("production")).not.toHaveProperty("backup");
  });
});
