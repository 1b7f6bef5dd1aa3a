import { describe, expect, test } from "vitest";
import { platformSettings, tenantPlatformSettings, tenantPlatformShape, variableTexts } from "./platform.ts";
import { PLATFORM_SETTINGS, type PlatformSetting } from "./platform-settings.ts";

const settings = platformSettings.parse({
  domain: "agents.example.com",
  accountId: "a".repeat(32),
  zoneId: "b".repeat(32),
  containerImage: "gateway:1",
  rootUsers: ["root@example.com"],
  containers: { free: "basic" },
  notice: "Maintenance on Sunday",
});

describe("variableTexts", () => {
  test("writes text unchanged and other values as JSON, sorted by name", () => {
    expect(Object.entries(variableTexts("dashboard", settings))).toEqual([
      ["AI_GATEWAY_CREATE_DEDICATED", "true"],
      ["CONTAINERS", '{"free":"basic","basic":"standard-1","pro":"standard-2","enterprise":"standard-3"}'],
      ["NOTICE", "Maintenance on Sunday"],
      ["SERVICE_ACCESS", "true"],
    ]);
    expect(variableTexts("tenant", settings)).toEqual({ DEFAULT_MODEL: "openai/gpt-5-mini" });
  });

  test("has no variable of a setting without a value", () => {
    const { notice: _, ...rest } = settings;
    expect(variableTexts("dashboard", rest)).not.toHaveProperty("NOTICE");
  });
});

describe("the settings for tenants", () => {
  test("match their schema", () => {
    const reported = tenantPlatformSettings(settings);
    expect(Object.keys(reported)).toEqual(Object.keys(tenantPlatformShape));
    expect(Object.keys(reported)).not.toContain("rootUsers");
    for (const [name, schema] of Object.entries(tenantPlatformShape)) {
      expect(schema.parse(reported[name as keyof typeof reported])).toEqual(reported[name as keyof typeof reported]);
    }
  });

  test("always have a value: each is required or has a default", () => {
    const table: Readonly<Record<string, PlatformSetting>> = PLATFORM_SETTINGS;
    const optional = Object.entries(table).filter(([name, { schema }]) => {
      const { success, data } = schema.safeParse(undefined);
      return name in tenantPlatformShape && success && data === undefined;
    });
    expect(optional).toEqual([]);
  });
});
