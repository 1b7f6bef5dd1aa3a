/** The two encodings of OTLP over HTTP (vendor: "OpenTelemetry Protocol Specification", "OTLP/HTTP"). */
import type { ExportMetricsResponse } from "#workers/contracts/tenant/metrics/otlp-metrics.ts";
import { decodeExport, encodeResponse, NotProtobuf } from "./otlp-protobuf.ts";
import type { Rejected } from "./rejections.ts";

export interface Encoding {
  contentType: string;
  /** Value of `OTEL_EXPORTER_OTLP_PROTOCOL`. */
  protocol: string;
  /** Decodes a request, without validation; `undefined` when the bytes are malformed. */
  decode(bytes: Uint8Array): { request: unknown } | undefined;
  encode(rejected: Rejected | undefined): string | Uint8Array;
}

export const jsonEncoding: Encoding = {
  contentType: "application/json",
  protocol: "http/json",
  decode(bytes) {
    try {
      return { request: JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes)) };
    } catch {
      return undefined;
    }
  },
  encode(rejected) {
    const response: ExportMetricsResponse =
      rejected === undefined
        ? {}
        : { partialSuccess: { rejectedDataPoints: String(rejected.count), errorMessage: rejected.message } };
    return JSON.stringify(response);
  },
};

export const protobufEncoding: Encoding = {
  contentType: "application/x-protobuf",
  protocol: "http/protobuf",
  decode(bytes) {
    try {
      return { request: decodeExport(bytes) };
    } catch (error) {
      if (error instanceof NotProtobuf) return undefined;
      throw error;
    }
  },
  encode: encodeResponse,
};
