import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { exportMetricsRequest } from "#workers/contracts/tenant/metrics/otlp-metrics.ts";
import { aiUsage } from "./ai-usage.ts";
import { decodeExport, encodeResponse, NotProtobuf } from "./otlp-protobuf.ts";

/** One export of OpenTelemetry's SDK for Node, in both encodings. */
const file = (name: string) => readFileSync(join(import.meta.dirname, "testing", name));
const bytes = new Uint8Array(file("sdk-export.bin"));
const json: unknown = JSON.parse(file("sdk-export.json").toString());

const decoded = (of: Uint8Array): unknown => {
  try {
    return decodeExport(of);
  } catch (error) {
    expect(error).toBeInstanceOf(NotProtobuf);
    return undefined;
  }
};

test("decodes an SDK's export to the same points as its JSON", async () => {
  const binary = await aiUsage(exportMetricsRequest.parse(decodeExport(bytes)), () => true);
  expect(binary.points).toHaveLength(2);
  expect(binary).toEqual(await aiUsage(exportMetricsRequest.parse(json), () => true));
});

test("decodes attributes of every kind", () => {
  const metrics = exportMetricsRequest.parse(decodeExport(bytes)).resourceMetrics[0]?.scopeMetrics[0]?.metrics;
  const up = metrics?.find(({ name }) => name === "up")?.gauge?.dataPoints[0];
  expect(up?.attributes).toEqual([
    { key: "parts", value: { arrayValue: { values: [{ stringValue: "a" }, { stringValue: "b" }] } } },
    { key: "number", value: { intValue: 5 } },
    { key: "half", value: { doubleValue: 0.5 } },
    { key: "yes", value: { boolValue: true } },
  ]);
});

test("ignores fields of a later version", () => {
  // Field 100 as a varint, eight bytes, a length with bytes, and four bytes.
  const later = [0xa0, 6, 1, 0xa1, 6, 1, 2, 3, 4, 5, 6, 7, 8, 0xa2, 6, 1, 0, 0xa5, 6, 1, 2, 3, 4];
  expect(decodeExport(Uint8Array.from([...later, ...bytes]))).toEqual(decodeExport(bytes));
});

test("decodes or rejects any bytes", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (any) => void decoded(any)));
  const changed = fc.record({ at: fc.nat(bytes.length - 1), to: fc.nat(255), end: fc.nat(bytes.length) });
  fc.assert(
    fc.property(changed, ({ at, to, end }) => {
      const other = bytes.slice(0, end);
      other[at] = to;
      exportMetricsRequest.safeParse(decoded(other));
    }),
  );
});

test("rejects a length beyond the end, an endless number, and groups", () => {
  for (const bad of [
    [0x0a, 5, 1],
    [0x0a, ...Array(9).fill(0xff), 1],
    Array(11).fill(0xff),
    [0x0b],
    [0x09, ...Array(8).fill(0)],
  ])
    expect(() => decodeExport(Uint8Array.from(bad))).toThrow(NotProtobuf);
});

test("rejects a message that is nested too deeply", () => {
  // Nested lists in an attribute's value: fields 5 and 1 by turns.
  let nested = Uint8Array.from([]);
  const wrap = (tag: number) => {
    const size = nested.length < 128 ? [nested.length] : [(nested.length & 127) | 128, nested.length >> 7];
    nested = Uint8Array.from([tag, ...size, ...nested]);
  };
  for (let depth = 0; depth < 100; depth += 1) {
    wrap(0x0a);
    wrap(0x2a);
  }
  for (const tag of [0x12, 0x0a, 0x0a, 0x0a]) wrap(tag);
  expect(() => decodeExport(nested)).toThrow(NotProtobuf);
});

test("encodes an empty response when nothing was rejected, and the rejections otherwise", () => {
  expect(encodeResponse(undefined)).toHaveLength(0);
  const [text, count] = ["no", 300];
  expect([...encodeResponse({ count, message: text })]).toEqual([0x0a, 7, 0x08, 0xac, 0x02, 0x12, 2, 0x6e, 0x6f]);
});
