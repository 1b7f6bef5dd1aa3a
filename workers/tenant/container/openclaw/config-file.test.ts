import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NO_PROVIDER_KEY } from "#workers/contracts/tenant/sandbox.ts";
import { runScript } from "../../testing/container-script.ts";
import { openclawRun } from "./testing/openclaw-run.ts";

const openclaw = openclawRun();
const { state, config, calls, validations, install, run } = openclaw;
const failure = (): string => JSON.parse(readFileSync(join(openclaw.root, "run/gateway-failure.json"), "utf8")).message;

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
    tools: { web: { fetch: { ssrfPolicy: { allowIpv6UniqueLocalRange: true } } } },
  });
  expect(calls()).toEqual(["config validate --json", "gateway run --port 18789 --bind lan"]);
  expect(env).toMatchObject({ OPENCLAW_STATE_DIR: join(openclaw.root, "state") });
  await run();
  expect(validations()).toBe(1);
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

test("lists the administrators that the gateway has seen, which validates nothing again", async () => {
  const own = { gateway: { auth: { identityScopes: { "ada@acme.example": ["operator.admin"] } } } };
  writeFileSync(state("openclaw.json"), JSON.stringify(own));
  await run();
  writeFileSync(state(".tenantry-operators.json"), '["eve@acme.example"]');
  await run();
  expect(validations()).toBe(1);
  expect(config().gateway.auth.identityScopes).toEqual({
    "ada@acme.example": ["operator.admin"],
    "eve@acme.example": ["operator.admin"],
  });
  writeFileSync(state(".tenantry-operators.json"), "not JSON");
  expect((await run()).code).toBe(0);
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
  const program = [join(import.meta.dirname, "version.mjs"), join(openclaw.root, "openclaw/openclaw.mjs")];
  const output = execFileSync(process.execPath, program, { encoding: "utf8" });
  expect(JSON.parse(output)).toEqual({ name: "openclaw", version: "2026.9.6" });
  // Also when the gateway's command names OpenClaw's program.
  const command = [
    process.execPath,
    join(import.meta.dirname, "run.mjs"),
    join(openclaw.root, "openclaw/openclaw.mjs"),
  ];
  install("2026.10.1");
  const versions = await runScript(openclaw.root, "versions.mjs", [], {
    env: { GATEWAY_COMMAND: JSON.stringify(command) },
  });
  expect(JSON.parse(versions.stdout)).toMatchObject({
    image: { version: "2026.10.1" },
    state: { name: "openclaw", version: "2026.9.6" },
    age: "older",
  });
});
