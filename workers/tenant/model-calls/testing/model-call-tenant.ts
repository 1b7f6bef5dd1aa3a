/** A tenant whose model calls go to an AI gateway of the test's own. */
import { readFileSync } from "node:fs";
import { Inside } from "@tenantry/edge/testing/runtime";
import { expect } from "vitest";
import { AI_GATEWAY_URL_VARIABLE, METRICS_ENDPOINT_VARIABLE } from "#workers/contracts/tenant/sandbox.ts";
import { running } from "../../testing/backup-tenant.ts";
import type { Tenant } from "../../testing/harness.ts";
import { test as base } from "../../testing/test.ts";
import { startAiGateway } from "./test-ai-gateway.ts";

export const AI_TOKEN = "token-of-the-ai-gateway";
export const CHAT = "/v1/account-1/pool-a/compat/chat/completions";

/** Returns the environment of the gateway's process. */
export function environment(tenant: Tenant): Record<string, string> {
  const [gateway] = tenant.processes("gateway");
  const entries = readFileSync(`/proc/${gateway?.pid}/environ`, "utf8").split("\0");
  return Object.fromEntries(entries.map((entry) => /^([^=]+)=(.*)$/s.exec(entry)?.slice(1) ?? []));
}

/** Returns a URL that leads from this process to one in a variable of the gateway. */
async function reach(tenant: Tenant, variable: string, onFinished: (end: () => void) => void): Promise<string> {
  const inside = new Inside(tenant.processes("gateway")[0]?.pid ?? 0);
  onFinished(() => inside.close());
  return inside.reach(environment(tenant)[variable] ?? "");
}

export const test = base
  .extend("aiGateway", { scope: "file" }, async ({ onFileFinished }) => {
    const aiGateway = await startAiGateway();
    onFileFinished(() => aiGateway.stop());
    return aiGateway;
  })
  .extend("tenant", { scope: "file" }, async ({ aiGateway, openFileTenant }) => {
    const tenant = await openFileTenant(undefined, {
      bindings: {
        CF_ACCOUNT_ID: "account-1",
        AI_GATEWAY_ID: "pool-a",
        AI_GATEWAY_URL: aiGateway.url,
        CF_AIG_AUTHORIZATION: AI_TOKEN,
        BILLING_PLAN: "pro",
        // Another client had the slug before. Default: the slug (tests/routing/model-turns.test.ts).
        AI_GATEWAY_TENANT: "acme~2",
        DEFAULT_MODEL: "openai/gpt-5-mini",
        PROVIDER_KEYS: JSON.stringify({ openai: "sk-openai", anthropic: "sk-ant" }),
      },
    });
    await running(tenant);
    return tenant;
  })
  // A URL for the AI gateway's in the container.
  .extend("url", { scope: "file" }, ({ tenant, onFileFinished }) =>
    reach(tenant, AI_GATEWAY_URL_VARIABLE, onFileFinished),
  )
  // A URL for that of metrics in the container.
  .extend("metricsUrl", { scope: "file" }, ({ tenant, onFileFinished }) =>
    reach(tenant, METRICS_ENDPOINT_VARIABLE, onFileFinished),
  )
  // Sends a request as a program in the container does.
  .extend("send", ({ url }) => (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) => {
    const all = { "content-type": "application/json", ...headers };
    return fetch(url + path, { method: "POST", body: "{}", ...init, headers: all });
  })
  // Returns a call as the AI gateway receives it.
  .extend(
    "receivedCall",
    ({ send, aiGateway }) =>
      async (path: string, headers: Record<string, string> = {}, body = "{}") => {
        const response = await send(path, headers, { body });
        expect([response.status, await response.text()]).toEqual([200, "{}"]);
        const call = aiGateway.calls.at(-1);
        if (call === undefined) throw new Error("no call arrived");
        return call;
      },
  )
  // Returns the provider's key that it receives.
  .extend(
    "keysOf",
    ({ receivedCall }) =>
      async (path: string, headers: Record<string, string> = {}, model?: string) => {
        const { authorization, "x-api-key": apiKey } = (await receivedCall(path, headers, JSON.stringify({ model })))
          .headers;
        return { authorization, apiKey };
      },
  );

test.afterEach(({ aiGateway }) => {
  aiGateway.respond = undefined;
  aiGateway.calls.length = 0;
});
