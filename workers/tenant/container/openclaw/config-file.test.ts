import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NO_PROVIDER_KEY } from "#workers/contracts/tenant/sandbox.ts";
import { runScript } from "../../testing/container-script.ts";
import { deliveryKey } from "./deliveries/secrets.mjs";

/** Replaces OpenClaw: rejects a configuration that requests it, and becomes a gateway that prints `running`. */
const PROGRAM = `
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
const [command] = process.argv.slice(2);
appendFileSync(join(process.env.TRACE, "calls"), process.argv.slice(2).join(" ") + "\\n");
const config = readFileSync(process.env.OPENCLAW_CONFIG_PATH, "utf8");
if (command === "config" && config.includes("nonsense")) {
  console.log("Config invalid: nonsense");
  process.exit(1);
}
if (command === "doctor" && process.env.DOCTOR === "fails") process.exit(3);
if (command === "gateway") console.log("RUNS " + JSON.stringify(process.env));
`;

let root: string;
const state = (name: string) => join(root, "state", name);
const config = () => JSON.parse(readFileSync(state("openclaw.json"), "utf8"));
const calls = () =>
  existsSync(join(root, "calls")) ? readFileSync(join(root, "calls"), "utf8").trim().split("\n") : [];
const failure = (): string => JSON.parse(readFileSync(join(root, "run/gateway-failure.json"), "utf8")).message;

function install(version: string): void {
  mkdirSync(join(root, "openclaw"), { recursive: true });
  writeFileSync(join(root, "openclaw/package.json"), JSON.stringify({ name: "openclaw", version, type: "module" }));
  writeFileSync(join(root, "openclaw/openclaw.mjs"), PROGRAM);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "openclaw-test-"));
  mkdirSync(join(root, "state"));
  install("2026.9.6");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Runs the image's OpenClaw. */
function run(
  more: Record<string, string> = {},
): Promise<{ code: number; output: string; env: Record<string, string> }> {
  const env = {
    PATH: process.env.PATH,
    TRACE: root,
    STATE_DIR: join(root, "state"),
    LOG_DIR: join(root, "logs"),
    RUN_DIR: join(root, "run"),
    GATEWAY_PORT: "18789",
    GATEWAY_TOKEN: "the-gateway-token",
    TENANT_SLUG: "acme",
    ENVIRONMENT: "production",
    TENANT_ORIGIN: "https://acme.example.com",
    CF_ACCOUNT_ID: "account",
    AI_GATEWAY_ID: "pool-a",
    AI_GATEWAY_URL: "http://ai-gateway.internal",
    DEFAULT_MODEL: "openai/gpt-5-mini",
    ...more,
  };
  return new Promise((resolve) => {
    const program = [join(import.meta.dirname, "run.mjs"), join(root, "openclaw/openclaw.mjs")];
    const child = execFile(process.execPath, program, { env }, (_error, stdout, stderr) => {
      const [, found] = /^RUNS (.+)$/m.exec(stdout) ?? [];
      resolve({
        code: child.exitCode ?? -1,
        output: stdout + stderr,
        env: found === undefined ? {} : JSON.parse(found),
      });
    });
  });
}

test("writes the platform's configuration for a new state and validates it once", async () => {
  const { code, env } = await run();
  expect(code).toBe(0);
  expect(config()).toMatchObject({
    gateway: {
      auth: { mode: "trusted-proxy", trustedProxy: { userHeader: "x-platform-user" } },
      controlUi: {
        allowedOrigins: ["https://acme.example.com"],
        automaticallyFetchFavicons: false,
        communityInvite: false,
      },
    },
    models: {
      catalogRefresh: { enabled: false },
      providers: { "ai-gateway": { baseUrl: "http://ai-gateway.internal/v1/account/pool-a/compat" } },
    },
    agents: { defaults: { model: { primary: "ai-gateway/openai/gpt-5-mini" } } },
  });
  expect(calls()).toEqual(["config validate", "gateway run --port 18789 --bind lan"]);
  expect(env).toMatchObject({ OPENCLAW_STATE_DIR: join(root, "state") });
  await run();
  expect(calls().filter((call) => call === "config validate")).toHaveLength(1);
});

test("serves OpenAI's clients, which make the gateway load nothing, and pairs machines at the tenant's address", async () => {
  await run();
  const loadsNothing = { allowUrl: false };
  expect(config().gateway.http.endpoints).toEqual({
    chatCompletions: { enabled: true, images: loadsNothing },
    responses: { enabled: true, images: loadsNothing, files: loadsNothing },
  });
  expect(config().plugins.entries["device-pair"]).toEqual({ config: { publicUrl: "https://acme.example.com" } });
});

test("turns off the refresh of the model catalogue without an AI gateway too", async () => {
  await run({ AI_GATEWAY_ID: "" });
  expect(config().models).toEqual({ catalogRefresh: { enabled: false } });
});

test("writes no secret to the state and passes none to OpenClaw", async () => {
  const { env } = await run();
  const text = readFileSync(state("openclaw.json"), "utf8");
  expect(text).not.toContain("the-gateway-token");
  expect(Object.values(env)).not.toContain("the-gateway-token");
  const { apiKey, headers } = config().models.providers["ai-gateway"];
  expect([apiKey, headers]).toEqual([NO_PROVIDER_KEY, { "cf-aig-skip-cache": "true" }]);
});

test("keeps the tenant's keys, restores the platform's, and removes a shared token", async () => {
  const own = {
    gateway: { auth: { mode: "token", token: "mine" }, port: 1 },
    agents: { defaults: { workspace: "~/mine" } },
    channels: { telegram: { enabled: true } },
  };
  writeFileSync(state("openclaw.json"), JSON.stringify(own));
  expect((await run()).code).toBe(0);
  expect(config()).toMatchObject({
    gateway: { auth: { mode: "trusted-proxy" }, port: 1 },
    agents: { defaults: { workspace: "~/mine" } },
    channels: { telegram: { enabled: true } },
  });
  expect(config().gateway.auth.token).toBeUndefined();
});

const TELEGRAM = {
  kind: "telegram",
  url: "https://hooks.example.com/0123456789abcdefghijklmn",
  secrets: { botToken: "1:the-bot-token", secretToken: "the-secret-token" },
};
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
    for (const name of readdirSync(join(root, directory), { recursive: true, withFileTypes: true }))
      if (name.isFile())
        for (const secret of secrets)
          expect(readFileSync(join(name.parentPath, name.name), "utf8")).not.toContain(secret);
  await run(connected(TELEGRAM));
  expect(calls().filter((call) => call === "config validate")).toHaveLength(1);
  await run();
  expect(config().channels).toEqual(channels);
  expect(readdirSync(join(root, "state"))).not.toContain("openclaw.json.channels");
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

const SLACK = { kind: "slack", url: "https://hooks.example.com/s", secrets: { botToken: "xoxb-the-bot-token" } };
const installPlugin = (kind: string) => mkdirSync(join(root, "openclaw/dist/extensions", kind), { recursive: true });

test("connects a channel whose plug-in is among OpenClaw's, and no other", async () => {
  const { output } = await run(connected(SLACK));
  expect(output).toContain("does not support the channel slack");
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

const MAPPINGS = [{ match: { path: "builds" }, action: "agent", messageTemplate: "{{title}}" }];

test("keeps the tenant's hooks, and replaces their path and token", async () => {
  const hooks = {
    enabled: true,
    token: "the-tenants-token",
    path: "/in",
    allowedAgentIds: ["main"],
    mappings: MAPPINGS,
  };
  writeFileSync(state("openclaw.json"), JSON.stringify({ hooks }));
  expect((await run()).code).toBe(0);
  expect(config().hooks).toEqual({ ...hooks, token: `\${TENANTRY_HOOKS_TOKEN}`, path: "/hooks" });
});

test("replaces hooks that were off, which OpenClaw may refuse, and keeps a copy", async () => {
  const hooks = { path: "/", mappings: MAPPINGS, internal: { enabled: true } };
  writeFileSync(state("openclaw.json"), JSON.stringify({ hooks }));
  const { code, output } = await run();
  expect(code).toBe(0);
  expect(Object.keys(config().hooks).toSorted()).toEqual(["enabled", "internal", "path", "token"]);
  expect(output).toContain("hooks of openclaw.json were off");
  expect(JSON.parse(readFileSync(state("openclaw.json.before"), "utf8")).hooks).toEqual(hooks);
  expect((await run()).output).not.toContain("were off");
});

test.each([
  ["that OpenClaw refuses", '{ "nonsense": true }'],
  ["that cannot be read", "{ not at all"],
])("keeps a copy of a configuration %s, and uses the last valid one", async (_, text) => {
  writeFileSync(state("openclaw.json"), JSON.stringify({ channels: { telegram: { enabled: true } } }));
  await run();
  writeFileSync(state("openclaw.json"), text);
  const { code, output } = await run();
  expect(code).toBe(0);
  expect(config().channels).toEqual({ telegram: { enabled: true } });
  expect(readFileSync(state("openclaw.json.rejected"), "utf8")).toBe(text);
  expect(output).toMatch(/rejected the configuration|is invalid/);
});

test("upgrades an older state once, and reports a failed upgrade and a newer state", async () => {
  await run();
  install("2026.10.1");
  const { code } = await run({ DOCTOR: "fails" });
  expect(code).toBe(78);
  expect(failure()).toMatch(
    /upgrade of the state from OpenClaw 2026\.9\.6 to 2026\.10\.1 failed .*deploy the previous image/,
  );
  expect((await run()).code).toBe(0);
  expect((await run()).code).toBe(0);
  expect(calls().filter((call) => call.startsWith("doctor"))).toHaveLength(2);
  install("2026.9.10");
  expect((await run()).code).toBe(78);
  expect(failure()).toMatch(/is of OpenClaw 2026\.10\.1, newer than this image's 2026\.9\.10/);
});

test("records the version in the state, and reports the image's", async () => {
  await run();
  const record = JSON.parse(readFileSync(state(".tenantry-gateway.json"), "utf8"));
  expect(record).toMatchObject({ name: "openclaw", version: "2026.9.6" });
  const program = [join(import.meta.dirname, "version.mjs"), join(root, "openclaw/openclaw.mjs")];
  const output = execFileSync(process.execPath, program, { encoding: "utf8" });
  expect(JSON.parse(output)).toEqual({ name: "openclaw", version: "2026.9.6" });
  // Also when the gateway's command names OpenClaw's program.
  const command = [process.execPath, join(import.meta.dirname, "run.mjs"), join(root, "openclaw/openclaw.mjs")];
  install("2026.10.1");
  const versions = await runScript(root, "versions.mjs", [], { env: { GATEWAY_COMMAND: JSON.stringify(command) } });
  expect(JSON.parse(versions.stdout)).toMatchObject({
    image: { version: "2026.10.1" },
    state: { name: "openclaw", version: "2026.9.6" },
    age: "older",
  });
});
