import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deliveryKey } from "./deliveries/secrets.mjs";
import { openclawRun } from "./testing/openclaw-run.ts";

const openclaw = openclawRun();
const { state, config, validations, run } = openclaw;

const TELEGRAM = {
  kind: "telegram",
  url: "https://hooks.example.com/0123456789abcdefghijklmn",
  secrets: { botToken: "1:the-bot-token", secretToken: "the-secret-token" },
};
const SLACK = { kind: "slack", url: "https://hooks.example.com/s", secrets: { botToken: "xoxb-the-bot-token" } };
const installPlugin = (kind: string) =>
  mkdirSync(join(openclaw.root, "openclaw/dist/extensions", kind), { recursive: true });
const connected = (...channels: object[]) => ({ CHANNELS: JSON.stringify(channels) });

test("connects a channel without its secrets in a file, and disconnects it", async () => {
  const channels = {
    telegram: { dmPolicy: "open", allowFrom: ["*"], enabled: false, botToken: "2:own" },
    irc: { host: "x" },
  };
  writeFileSync(state("openclaw.json"), JSON.stringify({ channels }));
  const later = { kind: "pigeon", url: "https://hooks.example.com/x", secrets: {} };
  const { code, env } = await run(connected(TELEGRAM, later));
  expect(code).toBe(0);
  const reference = (id: string) => ({ source: "env", provider: "tenantry", id });
  expect(config().channels).toEqual({
    telegram: {
      dmPolicy: "open",
      allowFrom: ["*"],
      enabled: true,
      botToken: reference("TENANTRY_TELEGRAM_BOT_TOKEN"),
      webhookSecret: reference("TENANTRY_TELEGRAM_SECRET_TOKEN"),
      webhookUrl: TELEGRAM.url,
      webhookPath: "/telegram-webhook",
      webhookHost: "127.84.71.1",
      webhookPort: 0,
    },
    irc: { host: "x" },
  });
  expect(env).toMatchObject({
    TENANTRY_TELEGRAM_BOT_TOKEN: "1:the-bot-token",
    TENANTRY_TELEGRAM_SECRET_TOKEN: "the-secret-token",
  });
  expect(env.CHANNELS).toBeUndefined();
  const secrets = [...Object.values(TELEGRAM.secrets), deliveryKey("the-gateway-token")];
  for (const directory of ["state", "logs", "run"])
    for (const name of readdirSync(join(openclaw.root, directory), { recursive: true, withFileTypes: true }))
      if (name.isFile())
        for (const secret of secrets)
          expect(readFileSync(join(name.parentPath, name.name), "utf8")).not.toContain(secret);
  await run(connected(TELEGRAM));
  expect(validations()).toBe(1);
  await run();
  expect(config().channels).toEqual(channels);
  expect(readdirSync(join(openclaw.root, "state"))).not.toContain("openclaw.json.channels");
});

test("removes a channel's keys when the tenant had none, and keeps what the tenant added", async () => {
  await run(connected(TELEGRAM));
  const present = config();
  present.channels.telegram.dmPolicy = "pairing";
  writeFileSync(state("openclaw.json"), JSON.stringify(present));
  await run(connected());
  expect(config().channels).toEqual({ telegram: { dmPolicy: "pairing" } });
  writeFileSync(state("openclaw.json"), "{}");
  await run(connected(TELEGRAM));
  await run();
  expect(config().channels).toBeUndefined();
});

const record = () => JSON.parse(readFileSync(state(".tenantry-gateway.json"), "utf8"));
const leftOut = (env: Record<string, string>) => JSON.parse(env.LEFT_OUT_CHANNELS ?? "");

test("starts without a channel that OpenClaw rejects, and reports the reason without secrets", async () => {
  installPlugin("slack");
  const channels = { telegram: { dmPolicy: "open" }, irc: { host: "x" } };
  writeFileSync(state("openclaw.json"), JSON.stringify({ channels }));
  const issue = ["TENANTRY_TELEGRAM", "channels.telegram", `invalid config: ${TELEGRAM.url} of 1:the-bot-token`];
  const rejecting = { ...connected(TELEGRAM, SLACK), ISSUES: JSON.stringify([issue]) };
  const { code, env, output } = await run(rejecting);
  expect(code).toBe(0);
  expect(config().channels).toMatchObject({ ...channels, slack: { mode: "http" } });
  const reason = "channels.telegram: invalid config: [secret] of [secret]";
  expect(leftOut(env)).toEqual([{ messenger: "telegram", cause: "configuration_rejected", reason }]);
  expect(env).toMatchObject({ DELIVERED_CHANNELS: "slack", TENANTRY_SLACK_BOT_TOKEN: SLACK.secrets.botToken });
  expect(env.TENANTRY_TELEGRAM_BOT_TOKEN).toBeUndefined();
  expect(output).toContain("without these channels: telegram");
  expect(JSON.stringify([output, record()])).not.toContain("1:the-bot-token");
  expect(validations()).toBe(2);

  // The fault is known: the next start validates nothing.
  expect(leftOut((await run(rejecting)).env)).toHaveLength(1);
  expect(validations()).toBe(2);
  // Other values of the channel are validated.
  const { env: mended } = await run(connected({ ...TELEGRAM, url: `${TELEGRAM.url}2` }, SLACK));
  expect(leftOut(mended)).toEqual([]);
  expect(config().channels.telegram).toMatchObject({ dmPolicy: "open", enabled: true });
  await run();
  expect(config().channels).toEqual(channels);
});

test("starts without a channel whose settings are malformed", async () => {
  installPlugin("irc");
  const irc = { kind: "irc", secrets: {}, settings: { server: "ircs://irc.example.org:99999", nick: "claw" } };
  const { code, env } = await run(connected(TELEGRAM, irc));
  expect(code).toBe(0);
  expect(leftOut(env)).toEqual([{ messenger: "irc", cause: "configuration_rejected", reason: "Invalid URL" }]);
  expect(env.DELIVERED_CHANNELS).toBe("telegram");
});

test("starts without any channel when OpenClaw fails without naming one, and tries again at the next start", async () => {
  const { code, env } = await run({ ...connected(TELEGRAM), FAILS_WITH: "TENANTRY_TELEGRAM" });
  expect(code).toBe(0);
  expect(leftOut(env)).toMatchObject([{ messenger: "telegram", reason: expect.stringContaining("Error: no schema") }]);
  expect(record().rejected).toBeUndefined();
  expect(leftOut((await run(connected(TELEGRAM))).env)).toEqual([]);
});

test("keeps a channel when the tenant's own keys of its messenger are invalid, and uses the last valid configuration", async () => {
  await run(connected(TELEGRAM));
  const present = config();
  present.channels.telegram.pigeons = 1;
  writeFileSync(state("openclaw.json"), JSON.stringify(present));
  const ISSUES = JSON.stringify([["pigeons", "channels.telegram", "invalid config"]]);
  const { code, env } = await run({ ...connected(TELEGRAM), ISSUES });
  expect(code).toBe(0);
  expect(leftOut(env)).toEqual([]);
  expect(config().channels.telegram.webhookUrl).toBe(TELEGRAM.url);
  expect(JSON.parse(readFileSync(state("openclaw.json.rejected"), "utf8"))).toEqual(present);
});

test("connects a channel whose plug-in is among OpenClaw's, and no other", async () => {
  const { output, env: without } = await run(connected(SLACK));
  expect(output).toContain("does not support the channel slack");
  expect(leftOut(without)).toEqual([{ messenger: "slack", cause: "not_in_image" }]);
  expect(config().channels).toBeUndefined();

  installPlugin("slack");
  const { env } = await run(connected({ ...SLACK, apiRoot: "http://127.0.0.1:1" }));
  expect(config().channels).toMatchObject({
    slack: { mode: "http", webhookPath: "/slack/events", signingSecret: { id: "TENANTRY_SLACK_SIGNING_SECRET" } },
  });
  expect(readFileSync(state("openclaw.json"), "utf8")).not.toContain("xoxb");
  expect(env).toMatchObject({
    TENANTRY_SLACK_BOT_TOKEN: SLACK.secrets.botToken,
    SLACK_API_URL: "http://127.0.0.1:1/api/",
    DELIVERED_CHANNELS: "slack",
  });
  await run();
  expect(config().channels).toBeUndefined();
});

test("removes the path of a plug-in that an earlier image had elsewhere", async () => {
  const mine = { load: { paths: ["/mine"] }, entries: { mine: { enabled: true } } };
  const former = "/usr/local/lib/node_modules/@openclaw/slack";
  const plugins = {
    load: { paths: [former, "/mine"] },
    entries: { ...mine.entries, slack: { enabled: true } },
  };
  writeFileSync(state("openclaw.json"), JSON.stringify({ plugins }));
  await run();
  expect(config().plugins).toMatchObject({ load: mine.load, entries: mine.entries });
  expect(Object.keys(config().plugins.entries).toSorted()).toEqual(["admin-http-rpc", "device-pair", "mine"]);
});

test("configures Google Chat and Microsoft Teams without their credentials", async () => {
  for (const kind of ["googlechat", "msteams"]) installPlugin(kind);
  const url = "https://hooks.example.com/x";
  const serviceAccount = '{"client_email":"bot@acme.iam.gserviceaccount.com","private_key":"the-private-key"}';
  const { env } = await run(
    connected(
      { kind: "googlechat", url, secrets: { serviceAccount }, settings: { audience: "1234567890" } },
      {
        kind: "msteams",
        url,
        secrets: { appPassword: "the-password" },
        settings: { appId: "app", tenantId: "tenant" },
      },
    ),
  );
  expect(config().channels).toEqual({
    googlechat: {
      enabled: true,
      serviceAccount: { source: "env", provider: "tenantry", id: "TENANTRY_GOOGLECHAT_SERVICE_ACCOUNT" },
      audienceType: "project-number",
      audience: "1234567890",
      webhookPath: "/googlechat",
    },
    msteams: {
      enabled: true,
      authType: "secret",
      appId: "app",
      tenantId: "tenant",
      appPassword: { source: "env", provider: "tenantry", id: "TENANTRY_MSTEAMS_APP_PASSWORD" },
      webhook: { port: 3978, path: "/api/messages" },
    },
  });
  expect(env).toMatchObject({
    TENANTRY_GOOGLECHAT_SERVICE_ACCOUNT: serviceAccount,
    TENANTRY_MSTEAMS_APP_PASSWORD: "the-password",
    DELIVERED_CHANNELS: "googlechat,msteams",
  });
  const text = readFileSync(state("openclaw.json"), "utf8");
  for (const secret of ["the-private-key", "the-password"]) expect(text).not.toContain(secret);
});
