/** Adds a platform setting that is a variable: only an entry of the table and its reader have to change. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod";
import { connections, platform } from "./testing/stack-file.ts";

const TABLE = "#domain/settings/platform-settings.ts";

beforeAll(() => {
  vi.doMock(TABLE, async (original: () => Promise<{ PLATFORM_SETTINGS: object }>) => {
    const greeting = {
      schema: z.string().default("Hello").describe("Greeting. Default: Hello."),
      variables: { automation: "GREETING", dashboard: "GREETING", dispatch: "GREETING", tenant: "GREETING" },
    };
    return { PLATFORM_SETTINGS: { ...(await original()).PLATFORM_SETTINGS, greeting } };
  });
  vi.resetModules();
});
afterAll(() => {
  vi.doUnmock(TABLE);
  vi.resetModules();
});

/** Modules loaded with the changed table. */
async function load() {
  const { checkSettings } = await import("#stack/settings/settings.ts");
  const { settingsSchema } = await import("#stack/settings/schema.ts");
  const { variableTexts } = await import("#domain/settings/platform.ts");
  const { Client } = await import("#components/client.ts");
  const { Platform } = await import("#components/platform.ts");
  const { declare, only, resolved } = await import("#components/testing/declared.ts");
  const { fakeContext, fakePlatformArgs } = await import("#components/testing/fakes.ts");
  return {
    checkSettings,
    settingsSchema,
    variableTexts,
    Client,
    Platform,
    declare,
    only,
    resolved,
    fakeContext,
    fakePlatformArgs,
  };
}

test("the stack file accepts it, with its default, and its schema documents it", async () => {
  const { checkSettings, settingsSchema } = await load();
  const settings = (more: object = {}) => checkSettings({ platform: { ...platform, ...more } }, connections).platform;
  expect(settings()).toMatchObject({ greeting: "Hello" });
  expect(settings({ greeting: "Welcome" })).toMatchObject({ greeting: "Welcome" });
  const schema = JSON.parse(settingsSchema()).properties.config.properties["tenantry:platform"];
  expect(schema.properties.greeting).toEqual({
    default: "Hello",
    description: "Greeting. Default: Hello.",
    type: "string",
  });
});

test("each reader gets the variable", async () => {
  const { variableTexts, Client, Platform, declare, only, resolved, fakeContext, fakePlatformArgs } = await load();
  const args = { ...fakePlatformArgs("production"), greeting: "Welcome" };
  const { declared, result } = await declare(() => {
    const made = new Platform("platform", args);
    const outputs = made.outputs;
    new Client("acme", {
      context: fakeContext({ outputs }),
      slug: "acme",
      displayName: "Acme",
      plan: "pro",
      status: "active",
      gateway: { kind: "dedicated", gatewayId: "tenantry-acme" },
    });
    return outputs;
  });
  const binding = { name: "GREETING", type: "plain_text", text: "Welcome" };
  for (const script of ["dashboard", "dispatch"]) {
    const { value } = only(declared, "WorkersScript", script).inputs.bindings as { value: unknown };
    expect(value).toContainEqual(binding);
  }
  expect(await resolved(result)).toMatchObject({ greeting: "Welcome" });
  expect(only(declared, "NamespacedScript").inputs.bindings).toMatchObject({
    GREETING: { type: "plain_text", text: "Welcome" },
  });
  expect(variableTexts("automation", args)).toEqual({ GREETING: "Welcome" });
});
