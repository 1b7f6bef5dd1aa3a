/** Takes OTLP over HTTP (spec: routing document, `POST /api/otel/v1/metrics`; vendor: "OpenTelemetry Protocol Specification"). */

import type * as z from "zod";
import { toDotPath } from "zod/v4/core";
import { errorResponse } from "#workers/contracts/errors.ts";
import { exportMetricsRequest } from "#workers/contracts/tenant/otlp-metrics.ts";
import { BodyTooLarge, dropBody } from "#workers/shared/bounded-body.ts";
import { log } from "#workers/shared/log.ts";
import { type AiUsagePoint, aiUsage } from "./ai-usage.ts";
import type { Encoding } from "./otlp-encoding.ts";
import { reject, summary } from "./rejections.ts";
import { BodyDamaged, contentEncoding, readUnpacked } from "./unpacked-body.ts";

/** Largest body, as it is sent and as it is unpacked, in bytes. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Faults of a request that are told, at the most. */
const MAX_FAULTS = 10;

/** Counts a tenant's queries to models. */
export interface AiUsageCounter {
  /** Whether queries to a server are counted from exports; it is empty where an exporter does not name it. */
  counts(server: string): boolean;
  /** Counts all of the points or, when it throws, none; tells how many had to be left out. */
  count(points: AiUsagePoint[]): Promise<{ left: number }>;
}

/**
 * Takes an export: counts what costs, and acknowledges all the rest.
 *
 * @param encodings those that are taken
 */
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
    return errorResponse("invalid_request", "The body is not an OTLP export of metrics; see where it differs.", {
      details: { faults: faults(parsed.error) },
    });
  }
  const { points, rejections } = await aiUsage(parsed.data, (server) => counter.counts(server));
  if (points.length > 0) {
    try {
      const { left } = await counter.count(points);
      reject(rejections, "too many series are under way", left);
    } catch (error) {
      log("error", "metrics.not-counted", { message: String(error) });
      // The status on which an exporter sends the same again.
      return errorResponse("tenant_unavailable", "Nothing was counted; send the same again.", {
        headers: { "retry-after": "5" },
      });
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
    return errorResponse("unsupported_media_type", `Metrics are taken as ${types} only; set ${protocols}.`);
  }
  if (["identity", "gzip"].includes(contentEncoding(request))) return encoding;
  return errorResponse("unsupported_media_type", "A body may be packed with gzip, or not at all.");
}

async function readExport(request: Request, encoding: Encoding): Promise<{ request: unknown } | Response> {
  try {
    const body = encoding.decode(await readUnpacked(request, MAX_BODY_BYTES));
    return body ?? errorResponse("invalid_request", `The body cannot be read as ${encoding.contentType}.`);
  } catch (error) {
    if (error instanceof BodyTooLarge) {
      const message = `A body may have ${MAX_BODY_BYTES} bytes, unpacked; export fewer metrics at a time.`;
      return errorResponse("payload_too_large", message);
    }
    if (error instanceof BodyDamaged) return errorResponse("invalid_request", "The body is not gzip, as it says.");
    throw error;
  }
}

/** Where the request is at fault and how, without what it holds there. */
function faults(error: z.ZodError): { path: string; problem: string }[] {
  return error.issues.slice(0, MAX_FAULTS).map(({ path, message }) => ({
    path: toDotPath(path),
    problem: message,
  }));
}
