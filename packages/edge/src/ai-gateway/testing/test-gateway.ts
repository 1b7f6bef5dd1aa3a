import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { onTestFinished } from "vitest";
import { type ApiServer, account_id, startApiServer } from "../../cloudflare/api/testing/api-server.ts";
import { permissionGroups } from "../../cloudflare/kinds/tokens/permission-groups.ts";
import { EdgeLimits, type LimitOverrides } from "../../limits/edge-limits.ts";
import { createAiGateway } from "../ai-gateway.ts";
import type { ProviderAccounts } from "../providers.ts";

export const settings = {
  cache_invalidate_on_update: true,
  cache_ttl: 0,
  collect_logs: true,
  rate_limiting_interval: 0,
  rate_limiting_limit: 0,
};

export interface TestGateway extends ApiServer {
  /** `http://127.0.0.1:PORT/ai-gateway/v1/{account}/{gateway}` */
  base: string;
  gatewayId: string;
  clock: { now: number };
  /** Errors that the gateways logged. */
  faults: unknown[];
  /** Sends `body` as JSON by POST. Default: GET without body */
  send(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

interface TestGatewayOptions {
  /** Settings that differ from {@link settings}. */
  gateway?: Record<string, unknown>;
  accounts?: ProviderAccounts;
  limits?: LimitOverrides;
}

/** Starts AI gateways with the API, until the end of the test. Their clock is moved by the test. */
export async function startTestGateway({
  gateway = {},
  accounts,
  limits,
}: TestGatewayOptions = {}): Promise<TestGateway> {
  const api = await startApiServer();
  const clock = { now: Date.parse("2026-11-22T12:00:00Z") };
  const faults: unknown[] = [];
  const answer = createAiGateway({
    store: api.store,
    accountId: account_id,
    state: api.gateways,
    ...(accounts && { accounts }),
    limits: new EdgeLimits(limits),
    log: (...line) => faults.push(line),
    now: () => clock.now,
  });
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const started = serve({ fetch: answer, port: 0, hostname: "127.0.0.1" }, () => resolve(started));
  });
  onTestFinished(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      if ("closeAllConnections" in server) server.closeAllConnections();
    });
    await api.close();
  });
  const gatewayId = "pool-a";
  await api.cloudflare.aiGateway.create({ account_id, id: gatewayId, ...settings, ...gateway });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ai-gateway/v1/${account_id}/${gatewayId}`;
  const send = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${base}/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return { ...api, base, gatewayId, clock, faults, send };
}

export const chat = (content: string, more: object = {}) => ({
  model: "mock",
  messages: [{ role: "user", content }],
  ...more,
});

/** Creates a token. @param group name of its permission group */
export async function makeToken(
  { cloudflare }: ApiServer,
  { group = "AI Gateway Run", account = account_id, status = "active" as "active" | "disabled" } = {},
): Promise<string> {
  const id = permissionGroups.find(({ name }) => name === group)?.id ?? "";
  const token = await cloudflare.accounts.tokens.create({
    account_id,
    name: "tenant",
    policies: [
      {
        effect: "allow",
        permission_groups: [{ id }],
        resources: { [`com.cloudflare.api.account.${account}`]: "*" },
      },
    ],
  });
  if (status === "disabled") {
    await cloudflare.accounts.tokens.update(token.id ?? "", {
      account_id,
      name: "tenant",
      status,
      policies:
        token.policies?.map(({ effect, permission_groups, resources }) => ({
          effect,
          permission_groups: permission_groups.map(({ id }) => ({ id })),
          resources,
        })) ?? [],
    });
  }
  return token.value ?? "";
}

/** Returns the log, newest first. */
export async function logged({ cloudflare, gatewayId }: TestGateway) {
  return (await cloudflare.aiGateway.logs.list(gatewayId, { account_id })).result ?? [];
}
