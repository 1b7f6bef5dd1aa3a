/** Receives the gateway's metrics from its container. */
import { WorkerEntrypoint } from "cloudflare:workers";
import { AI_GATEWAY_HOST } from "#workers/contracts/tenant/sandbox.ts";
import type { TenantEnv } from "../env.ts";
import { supervisorOf } from "../supervisor-calls.ts";
import { jsonEncoding, protobufEncoding } from "./otlp-encoding.ts";
import { type AiUsageCounter, receiveMetrics } from "./receive-metrics.ts";

/** Receives an export from inside the container. OpenClaw's exporter supports protobuf only. */
export function receiveFromContainer(request: Request, env: TenantEnv): Promise<Response> {
  return receiveMetrics(request, [jsonEncoding, protobufEncoding], counterOf(env));
}

/**
 * Counts a tenant's exports. Queries through its AI gateway are counted from that gateway's log instead, which cannot be forged. An export
 * without a server address counts as of the AI gateway.
 */
export function counterOf(env: TenantEnv): AiUsageCounter {
  const gateway = env.AI_GATEWAY_ID ? ["", AI_GATEWAY_HOST, new URL(env.AI_GATEWAY_URL).hostname] : [];
  return {
    counts: (server) => !gateway.includes(server),
    count: async (points) => supervisorOf(env).countAiUsage(points),
  };
}

/** The entrypoint for requests of the container to `METRICS_HOST`. */
export class Egress extends WorkerEntrypoint<TenantEnv> {
  override async fetch(request: Request): Promise<Response> {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    return receiveFromContainer(request, this.env);
  }
}
