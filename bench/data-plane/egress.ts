/**
 * A request of a container to a host that its policy allows, compared with the same request to the host of model calls. One server responds to
 * both, so that the difference is the tenant Worker's.
 */

import { Inside, sharedStorage } from "@tenantry/edge/testing/runtime";
import { EGRESS_PATH } from "#workers/contracts/tenant/egress.ts";
import { AI_GATEWAY_HOST } from "#workers/contracts/tenant/sandbox.ts";
import { type Internet, startInternet } from "#workers/tenant/egress/testing/internet.ts";
import { startTenant, type Tenant } from "#workers/tenant/testing/harness.ts";
import { Client, type Target } from "../client.ts";
import { type ByMode, type Run, reportComparison } from "../suite.ts";
import { waitFor } from "../waiting.ts";

const TARGET = 1.3;
const BOUNDS: ByMode<{ rounds: number; budgetMs: number; calls: number; warmUp: number }> = {
  full: { rounds: 9, budgetMs: 20_000, calls: 100, warmUp: 200 },
  smoke: { rounds: 1, budgetMs: 5_000, calls: 1, warmUp: 1 },
};
const START_MS = 60_000;
const HOST = "api.vendor.example";
/** That the policy refuses. */
const OTHER_HOST = "other.vendor.example";
const PATH = "/v1/account/pool/compat/chat/completions";
const BODY = JSON.stringify({ model: "openai/gpt-5-mini", messages: [{ role: "user", content: "What is the time?" }] });

export async function measureEgress(_: unknown, run: Run): Promise<void> {
  const { calls, warmUp, ...bounds } = BOUNDS[run.mode];
  const internet = await startInternet();
  internet.respond = (request, response) => {
    request.resume();
    request.once("end", () =>
      response.writeHead(200, { "content-type": "application/json", "content-length": "2" }).end("{}"),
    );
  };
  const client = new Client();
  const tenant = await openTenant(internet);
  let inside: Inside | undefined;
  try {
    await waitFor(async () => {
      if ((await tenant.fetch("/health")).status !== 200) throw new Error("The gateway does not run.");
    }, START_MS);
    const own = new Inside(tenant.processes("gateway")[0]?.pid ?? 0);
    inside = own;
    const connect = () => own.connectOut();
    const to = (host: string): Target => {
      const headers = { host, "content-type": "application/json" };
      return { port: 80, path: PATH, method: "POST", body: BODY, connect, headers };
    };
    await client.call({ ...to(OTHER_HOST), statuses: [403] });
    const [allowed, modelCall] = [to(HOST), to(AI_GATEWAY_HOST)];
    for (const target of [allowed, modelCall]) await client.calls(target, warmUp);
    await reportComparison(run, {
      title: "a request of a container under an allowlist: latency",
      unit: "ms",
      subject: { name: "to an allowed host", round: () => client.calls(allowed, calls) },
      baseline: { name: "to the host of model calls", round: () => client.calls(modelCall, calls) },
      bounds,
      target: TARGET,
    });
  } finally {
    client.close();
    inside?.close();
    await tenant.stop();
    await internet.stop();
    // It would keep this process running.
    await (await sharedStorage()).stop();
  }
}

async function openTenant({ address }: Internet): Promise<Tenant> {
  const tenant = await startTenant(undefined, {
    internetProxy: address,
    bindings: {
      CF_ACCOUNT_ID: "account",
      AI_GATEWAY_ID: "pool",
      AI_GATEWAY_URL: `http://${address}`,
      CF_AIG_AUTHORIZATION: "token",
      EGRESS_BOUND: JSON.stringify({ layers: [null, null], platform: { domain: "agents.example.com", refused: [] } }),
    },
  });
  const layers = [null, { mode: "allowlist", entries: [{ host: HOST }] }];
  const order = { revision: crypto.randomUUID(), layers, secrets: [] };
  const { status } = await tenant.fetch(EGRESS_PATH, { method: "PUT", body: JSON.stringify(order) });
  if (status === 204) return tenant;
  await tenant.stop();
  throw new Error(`The policy was not accepted: status ${status}.`);
}
