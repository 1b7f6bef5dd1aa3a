import { PORT_VARIABLE } from "@tenantry/plugin-host";
import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";

const variables = {
  ENVIRONMENT: "development",
  DATABASE_URL: "postgres://tenantry_service_development:hush@db.example:5432/tenantry",
  SMTP_URL: "smtps://user:hush@mail.example:465",
  MAIL_FROM: "Tenantry <platform@tenantry.example>",
  DASHBOARD_URL: "https://dev-dash.agents.example.com/",
  PLATFORM_DOMAIN: "agents.example.com",
  DISPATCH_URL: "https://_dispatch-dev.agents.example.com",
  INVALIDATE_TOKEN: "hush",
  CLOUDFLARE_API_TOKEN: "hush",
  CLOUDFLARE_ACCOUNT_ID: "0123456789abcdef0123456789abcdef",
};

const refusal = (changed: Record<string, string | undefined>) => {
  try {
    readSettings({ ...variables, ...changed });
  } catch (error) {
    return String(error);
  }
  return "";
};

test("reads variables with their defaults", () => {
  expect(readSettings(variables)).toMatchObject({
    DASHBOARD_URL: "https://dev-dash.agents.example.com",
    MAIL_FROM: { name: "Tenantry", address: "platform@tenantry.example" },
    CLOUDFLARE_API_URL: "https://api.cloudflare.com/client/v4",
    HEALTH_HOST: "127.0.0.1",
    HEALTH_PORT: 9464,
    CONCURRENCY: 4,
  });
});

test("accepts both logins of its own environment only", () => {
  const url = (user: string) => ({ DATABASE_URL: `postgres://${user}:hush@db.example/tenantry` });
  expect(refusal(url("tenantry_service_development_b"))).toBe("");
  expect(refusal(url("tenantry_service_b"))).toContain(
    "it does not log in as tenantry_service_development or tenantry_service_development_b",
  );
});

test("reads other platforms with their dashboards", () => {
  const OTHER_PLATFORMS = '{"eu-2": "https://dash.eu-2.example.com/"}';
  expect(readSettings({ ...variables, OTHER_PLATFORMS }).OTHER_PLATFORMS).toEqual({
    "eu-2": "https://dash.eu-2.example.com",
  });
});

test("reports every fault with its variable and remedy, but without values", () => {
  const reported = refusal({ DATABASE_URL: "mysql://hush", SMTP_URL: "", MAIL_FROM: undefined, CONCURRENCY: "hush" });
  expect(reported.split("\n").map((line) => line.replace("SettingsError: ", "").split(":")[0])).toEqual([
    "DATABASE_URL",
    "SMTP_URL",
    "MAIL_FROM",
    "CONCURRENCY",
  ]);
  expect(reported).toContain("SMTP_URL: it is not set. Set it to the mail server");
  expect(reported).not.toContain("hush");
});

test("requires a way to decrypt stacks' secrets when it deploys tenants", () => {
  const deploys = { PLATFORM_STACK: "prod", PROVISIONING_API_TOKEN: "hush", PULUMI_BACKEND_URL: "s3://states" };
  expect(refusal(deploys)).toContain("PULUMI_CONFIG_PASSPHRASE: it is not set. Set it, or");
  for (const ways of [
    { PULUMI_CONFIG_PASSPHRASE: "" },
    { PULUMI_CONFIG_PASSPHRASE_FILE: "/run/passphrase" },
    { SECRETS_PROVIDER: "awskms://alias/states" },
    { PULUMI_BACKEND_URL: "https://api.pulumi.com" },
  ]) {
    expect(refusal({ ...deploys, ...ways })).toBe("");
  }
});

test("passes the port of a running provider server to the engine", () => {
  const deploys = { PLATFORM_STACK: "local", PROVISIONING_API_TOKEN: "hush", PULUMI_BACKEND_URL: "s3://states" };
  const ways = { PULUMI_CONFIG_PASSPHRASE: "", [PORT_VARIABLE]: "12345" };
  expect(readSettings({ ...variables, ...deploys, ...ways }).ENGINE?.variables).toMatchObject({
    [PORT_VARIABLE]: "12345",
  });
});

test.each([
  [
    "another environment's role",
    { DATABASE_URL: "postgres://tenantry_service:hush@db.example/tenantry" },
    "DATABASE_URL",
  ],
  ["a superuser", { DATABASE_URL: "postgres://postgres:hush@db.example/tenantry" }, "DATABASE_URL"],
  ["an address to push updates to without its token", { LIVE_URL: "https://dash.example/live" }, "LIVE_TOKEN"],
  ["a token without an address", { LIVE_TOKEN: "hush" }, "LIVE_URL"],
  ["other platforms without dashboards", { OTHER_PLATFORMS: '{"eu-2":"hush"}' }, "OTHER_PLATFORMS"],
  ["a list of other platforms", { OTHER_PLATFORMS: '["hush"]' }, "OTHER_PLATFORMS"],
  ["a dashboard under a path", { DASHBOARD_URL: "https://example.com/dash" }, "DASHBOARD_URL"],
  ["a sender with a line break", { MAIL_FROM: "T\r\nBcc: x@y.example <a@b.example>" }, "MAIL_FROM"],
])("rejects %s", (_, changed, name) => {
  const reported = refusal(changed);
  expect(reported).toContain(`${name}: `);
  expect(reported).not.toContain("hush");
});
