/**
 * `ExportMetricsServiceRequest` of OTLP 1.x in JSON (vendor: "OpenTelemetry Protocol Specification", "JSON Protobuf Encoding";
 * opentelemetry-proto, `metrics/v1`). Unknown fields are ignored; absent and null fields have proto3's defaults.
 */
import * as z from "zod";

/** Limits of one request. Exporters with more data send several. */
const MOST = { resources: 100, scopes: 200, metrics: 2_000, points: 5_000, attributes: 128, buckets: 2_000 };
/** Maximum nesting of an attribute's value. */
const MOST_DEPTH = 8;

/** An array whose length is checked before its items. */
const boundedList = <T extends z.ZodType>(item: T, most: number) =>
  z
    .array(z.unknown())
    .max(most)
    .pipe(z.array(item))
    .nullish()
    .transform((items) => items ?? []);

const MAX_UINT64 = 2n ** 64n - 1n;

/** An integer, also beyond 2^53, because exporters write nanoseconds as numbers. */
const whole = z.number().refine(Number.isInteger, "not a whole number");
/** A 64-bit unsigned integer as decimal string or number; absent for 0. */
const uint64 = z
  .union([z.string().regex(/^\d{1,20}$/), whole.nonnegative()])
  .nullish()
  .transform((value) => BigInt(value ?? 0))
  .refine((value) => value <= MAX_UINT64, "beyond 64 bits");
const int64 = z.union([z.string().regex(/^-?\d{1,19}$/), whole]);
const int32 = z.number().int().nullish();
const double = z.union([
  z.number(),
  z.enum(["NaN", "Infinity", "-Infinity"]),
  z.string().regex(/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/),
]);
/** Enumerations are numbers in OTLP's JSON, never names. */
const enumeration = z
  .number()
  .int()
  .nullish()
  .transform((value) => value ?? 0);
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const hex = z.string().regex(/^[0-9a-fA-F]*$/);

/** At most one field is set. */
interface AnyValue {
  stringValue?: string | null | undefined;
}

function anyValue(depth: number): z.ZodType<AnyValue> {
  const nested: z.ZodType<AnyValue> = depth === 0 ? z.never() : anyValue(depth - 1);
  const values = boundedList(nested, MOST.attributes);
  return z.object({
    stringValue: z.string().nullish(),
    boolValue: z.boolean().nullish(),
    intValue: int64.nullish(),
    doubleValue: double.nullish(),
    bytesValue: z.string().nullish(),
    arrayValue: z.object({ values }).nullish(),
    kvlistValue: z
      .object({ values: boundedList(z.object({ key: text, value: nested.nullish() }), MOST.attributes) })
      .nullish(),
  });
}

const keyValue = z.object({ key: z.string(), value: anyValue(MOST_DEPTH).nullish() });
export type KeyValue = z.infer<typeof keyValue>;
const attributes = boundedList(keyValue, MOST.attributes);

const exemplar = z.object({
  filteredAttributes: attributes,
  timeUnixNano: uint64,
  asDouble: double.nullish(),
  asInt: int64.nullish(),
  spanId: hex.nullish(),
  traceId: hex.nullish(),
});

const point = {
  attributes,
  /** Nanoseconds since the epoch; 0 if unknown. */
  startTimeUnixNano: uint64,
  /** Nanoseconds since the epoch; required by OTLP. */
  timeUnixNano: uint64,
  /** Bit 0: no value was recorded. */
  flags: z
    .number()
    .int()
    .nonnegative()
    .nullish()
    .transform((value) => value ?? 0),
};
const exemplars = boundedList(exemplar, MOST.attributes);
const buckets = boundedList(uint64, MOST.buckets);

const numberPoint = z.object({ ...point, asDouble: double.nullish(), asInt: int64.nullish(), exemplars });
const distribution = { ...point, count: uint64, sum: double.nullish() };
const histogramPoint = z.object({
  ...distribution,
  bucketCounts: buckets,
  explicitBounds: boundedList(double, MOST.buckets),
  exemplars,
  min: double.nullish(),
  max: double.nullish(),
});
const exponentialBuckets = z.object({ offset: int32, bucketCounts: buckets }).nullish();
const exponentialPoint = z.object({
  ...distribution,
  scale: int32,
  zeroCount: uint64,
  zeroThreshold: double.nullish(),
  positive: exponentialBuckets,
  negative: exponentialBuckets,
  exemplars,
  min: double.nullish(),
  max: double.nullish(),
});
const summaryPoint = z.object({
  ...distribution,
  quantileValues: boundedList(z.object({ quantile: double.nullish(), value: double.nullish() }), MOST.buckets),
});

/** Of `aggregationTemporality`. */
export const DELTA = 1;
export const CUMULATIVE = 2;
/** Of a data point's `flags`. */
export const NO_RECORDED_VALUE = 1;

const metric = z.object({
  name: z.string().min(1),
  description: text,
  unit: text,
  metadata: attributes,
  gauge: z.object({ dataPoints: boundedList(numberPoint, MOST.points) }).nullish(),
  sum: z
    .object({
      dataPoints: boundedList(numberPoint, MOST.points),
      aggregationTemporality: enumeration,
      isMonotonic: z.boolean().nullish(),
    })
    .nullish(),
  histogram: z
    .object({ dataPoints: boundedList(histogramPoint, MOST.points), aggregationTemporality: enumeration })
    .nullish(),
  exponentialHistogram: z
    .object({ dataPoints: boundedList(exponentialPoint, MOST.points), aggregationTemporality: enumeration })
    .nullish(),
  summary: z.object({ dataPoints: boundedList(summaryPoint, MOST.points) }).nullish(),
});
export type OtlpMetric = z.infer<typeof metric>;

const scopeMetrics = z.object({
  scope: z.object({ name: text, version: text, attributes }).nullish(),
  metrics: boundedList(metric, MOST.metrics),
  schemaUrl: text,
});
const resourceMetrics = z.object({
  resource: z.object({ attributes }).nullish(),
  scopeMetrics: boundedList(scopeMetrics, MOST.scopes),
  schemaUrl: text,
});

export const exportMetricsRequest = z.object({ resourceMetrics: boundedList(resourceMetrics, MOST.resources) });
export type ExportMetricsRequest = z.infer<typeof exportMetricsRequest>;

/** `ExportMetricsServiceResponse`; without `partialSuccess` all data was accepted. */
export interface ExportMetricsResponse {
  partialSuccess?: { rejectedDataPoints: string; errorMessage: string };
}
