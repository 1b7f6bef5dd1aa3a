/** The way of the gateway's metrics out of its container. */
import { WorkerEntrypoint } from "cloudflare:workers";
import type { TenantEnv } from "../env.ts";
import { supervisorOf } from "../supervisor-calls.ts";
import type { AiUsagePoint } from "./ai-usage.ts";
import { jsonEncoding, protobufEncoding } from "./otlp-encoding.ts";
import { receiveMetrics } from "./receive-metrics.ts";

/** Counts an export of metrics that comes from within the container. OpenClaw's exporter knows protobuf alone. */
export function receiveFromWithin(request: Request, env: TenantEnv): Promise<Response> {
  return receiveMetrics(request, [jsonEncoding, protobufEncoding], countFor(env));
}

/** Counts an export of metrics for a tenant. */
export function countFor(env: TenantEnv): (points: AiUsagePoint[]) => Promise<{ left: number }> {
  return async (points) => supervisorOf(env).countAiUsage(points);
}

/** What programs in the container reach at `METRICS_HOST` (vendor: "Durable Object Container", `interceptOutboundHttp`). */
export class Egress extends WorkerEntrypoint<TenantEnv> {
  override async fetch(request: Request): Promise<Response> {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    return receiveFromWithin(request, this.env);
  }
}
