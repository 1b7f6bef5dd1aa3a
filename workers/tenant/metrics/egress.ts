/** The way of the gateway's metrics out of its container. */
import { WorkerEntrypoint } from "cloudflare:workers";
import { AI_GATEWAY_HOST } from "#workers/contracts/tenant/sandbox.ts";
import type { TenantEnv } from "../env.ts";
import { supervisorOf } from "../supervisor-calls.ts";
import { jsonEncoding, protobufEncoding } from "./otlp-encoding.ts";
import { type AiUsageCounter, receiveMetrics } from "./receive-metrics.ts";

/** Counts an export of metrics that comes from within the container. OpenClaw's exporter knows protobuf alone. */
export function receiveFromWithin(request: Request, env: TenantEnv): Promise<Response> {
  return receiveMetrics(request, [jsonEncoding, protobufEncoding], counterOf(env));
}

/**
 * Counts exports of metrics for a tenant. What goes through its AI gateway is counted from that one's log, which says more and cannot be
 * made up; an exporter that does not say where its queries go is taken to speak of those.
 */
export function counterOf(env: TenantEnv): AiUsageCounter {
  const gateway = env.AI_GATEWAY_ID ? ["", AI_GATEWAY_HOST, new URL(env.AI_GATEWAY_URL).hostname] : [];
  return {
    counts: (server) => !gateway.includes(server),
    count: async (points) => supervisorOf(env).countAiUsage(points),
  };
}

/** What programs in the container reach at `METRICS_HOST` (vendor: "Durable Object Container", `interceptOutboundHttp`). */
export class Egress extends WorkerEntrypoint<TenantEnv> {
  override async fetch(request: Request): Promise<Response> {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    return receiveFromWithin(request, this.env);
  }
}
