/** Receives OTLP over HTTP (spec: routing document, `POST /api/otel/v1/metrics`; vendor: "OpenTelemetry Protocol Specification"). */

import type * as z from "zod";
import { toDotPath } from "zod/v4/core";
import { workerErrors } from "#domain/errors/tenants/worker.ts";
import { errorResponse } from "#workers/contracts/errors.ts";
import { exportMetricsRequest } from "#workers/contracts/tenant/metrics/otlp-metrics.ts";
import { BodyTooLarge, dropBody } from "#workers/shared/bounded-body.ts";
import { log } from "#workers/shared/log.ts";
import { type AiUsagePoint, aiUsage } from "./ai-usage.ts";
import type { Encoding } from "./otlp-encoding.ts";
import { reject, summary } from "./rejections.ts";
import { BodyDamaged, contentEncoding, readUnpacked } from "./unpacked-body.ts";

/** Maximum size of a body, both compressed and uncompressed. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Maximum number of reported faults of a request. */
const MAX_FAULTS = 10;

/** Counts a tenant's model queries. */
export interface AiUsageCounter {
  /** Whether queries to a server are counted from exports. `server` is empty when an exporter does not name it. */
  counts(server: string): boolean;
  /** Counts all points, or none when it throws. @returns how many points were left out */
  count(points: AiUsagePoint[]): Promise<{ left: number }>;
}

/** Counts model queries in an export, and acknowledges all other metrics. @param encodings the supported encodings */
export async function receiveMetrics(
  request: Request,
  encodings: readonly Encoding[],
  counter: AiUsageCounter,
): Promise<Response> {
  const encoding = encodingOf(request, encodings);
  if (encoding instanceof Response) {
    await dropBody(request);
    return encoding;
  }
  const body = await readExport(request, encoding);
  if (body instanceof Response) return body;
  const parsed = exportMetricsRequest.safeParse(body.request);
  if (!parsed.success) {
    return errorResponse(workerErrors.metrics_invalid, {}, { details: { faults: faultsOf(parsed.error) } });
  }
  const { points, rejections } = await aiUsage(parsed.data, (server) => counter.counts(server));
  if (points.length > 0) {
    try {
      const { left } = await counter.count(points);
      reject(rejections, "too many series are active", left);
    } catch (error) {
      log("error", "metrics.not-counted", { message: String(error) });
      // Exporters send the same export again on this status.
      return errorResponse(workerErrors.metrics_not_counted, {}, { headers: { "retry-after": "5" } });
    }
  }
  return new Response(encoding.encode(summary(rejections)), {
    headers: { "content-type": encoding.contentType, "cache-control": "no-store" },
  });
}

function encodingOf(request: Request, encodings: readonly Encoding[]): Encoding | Response {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const encoding = encodings.find(({ contentType }) => contentType === type);
  if (encoding === undefined) {
    const types = encodings.map(({ contentType }) => contentType).join(" or ");
    const protocols = encodings.map(({ protocol }) => `OTEL_EXPORTER_OTLP_PROTOCOL=${protocol}`).join(" or ");
    return errorResponse(workerErrors.metrics_content_type, { types, protocols });
  }
  if (["identity", "gzip"].includes(contentEncoding(request))) return encoding;
  return errorResponse(workerErrors.metrics_encoding);
}

async function readExport(request: Request, encoding: Encoding): Promise<{ request: unknown } | Response> {
  try {
    const body = encoding.decode(await readUnpacked(request, MAX_BODY_BYTES));
    return body ?? errorResponse(workerErrors.metrics_body_not_parsed, { type: encoding.contentType });
  } catch (error) {
    if (error instanceof BodyTooLarge)
      return errorResponse(workerErrors.metrics_body_too_large, { bytes: MAX_BODY_BYTES });
    if (error instanceof BodyDamaged) return errorResponse(workerErrors.metrics_gzip_damaged);
    throw error;
  }
}

/** Returns the location and kind of each problem, without the values. */
function faultsOf(error: z.ZodError): { path: string; problem: string }[] {
  return error.issues.slice(0, MAX_FAULTS).map(({ path, message }) => ({ path: toDotPath(path), problem: message }));
}
