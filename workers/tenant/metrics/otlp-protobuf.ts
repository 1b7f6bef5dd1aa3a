/**
 * Decodes OTLP's binary encoding of a metrics export into the shape of its JSON encoding. Fields that are not used, such as buckets and
 * exemplars, are skipped (vendor: Protocol Buffers, "Encoding"; opentelemetry-proto, `metrics/v1`).
 */

/** The bytes are malformed. */
export class NotProtobuf extends Error {
  override name = "NotProtobuf";
}

type Scalar = "string" | "bool" | "int" | "fixed64" | "double";
interface Field {
  name: string;
  type: Scalar | (() => Message);
  repeated?: true;
}
type Message = Readonly<Record<number, Field>>;

const scalar = (name: string, type: Scalar): Field => ({ name, type });
const single = (name: string, type: () => Message): Field => ({ name, type });
const many = (name: string, type: () => Message): Field => ({ name, type, repeated: true });

const anyValue: Message = {
  1: scalar("stringValue", "string"),
  2: scalar("boolValue", "bool"),
  3: scalar("intValue", "int"),
  4: scalar("doubleValue", "double"),
  5: single("arrayValue", () => ({ 1: many("values", () => anyValue) })),
  6: single("kvlistValue", () => ({ 1: many("values", () => keyValue) })),
};
const keyValue: Message = { 1: scalar("key", "string"), 2: single("value", () => anyValue) };
const attributes = many("attributes", () => keyValue);
const times = { 2: scalar("startTimeUnixNano", "fixed64"), 3: scalar("timeUnixNano", "fixed64") };
const distribution = { ...times, 4: scalar("count", "fixed64"), 5: scalar("sum", "double") };

const numberPoint: Message = { ...times, 7: attributes, 8: scalar("flags", "int") };
const histogramPoint: Message = { ...distribution, 9: attributes, 10: scalar("flags", "int") };
const exponentialPoint: Message = { ...distribution, 1: attributes, 10: scalar("flags", "int") };
const summaryPoint: Message = { ...distribution, 7: attributes, 8: scalar("flags", "int") };

const data = (point: Message) => (): Message => ({
  1: many("dataPoints", () => point),
  2: scalar("aggregationTemporality", "int"),
});
const metric: Message = {
  1: scalar("name", "string"),
  3: scalar("unit", "string"),
  5: single("gauge", () => ({ 1: many("dataPoints", () => numberPoint) })),
  7: single("sum", data(numberPoint)),
  9: single("histogram", data(histogramPoint)),
  10: single("exponentialHistogram", data(exponentialPoint)),
  11: single("summary", () => ({ 1: many("dataPoints", () => summaryPoint) })),
};
const scope: Message = { 1: scalar("name", "string"), 2: scalar("version", "string"), 3: attributes };
const scopeMetrics: Message = { 1: single("scope", () => scope), 2: many("metrics", () => metric) };
const resourceMetrics: Message = {
  1: single("resource", () => ({ 1: attributes })),
  2: many("scopeMetrics", () => scopeMetrics),
};
const exportRequest: Message = { 1: many("resourceMetrics", () => resourceMetrics) };

const MAX_DEPTH = 40;

const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;
const WIRE_OF: Readonly<Record<Scalar, number>> = {
  string: WIRE.bytes,
  bool: WIRE.varint,
  int: WIRE.varint,
  fixed64: WIRE.fixed64,
  double: WIRE.fixed64,
};

/** Decodes an export, without validation. @throws NotProtobuf */
export function decodeExport(bytes: Uint8Array): Record<string, unknown> {
  return new Reader(bytes).message(exportRequest, 0);
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  message(fields: Message, depth: number): Record<string, unknown> {
    if (depth > MAX_DEPTH) throw new NotProtobuf();
    const read: Record<string, unknown> = {};
    while (this.#at < this.#bytes.length) {
      const tag = Number(this.#varint());
      const field = fields[Math.floor(tag / 8)];
      const wire = tag % 8;
      if (field === undefined) this.#skip(wire);
      else this.#field(read, field, wire, depth);
    }
    return read;
  }

  #field(read: Record<string, unknown>, { name, type, repeated }: Field, wire: number, depth: number): void {
    if (typeof type === "string") {
      if (wire !== WIRE_OF[type]) throw new NotProtobuf();
      read[name] = this.#scalar(type);
      return;
    }
    if (wire !== WIRE.bytes) throw new NotProtobuf();
    const value = new Reader(this.#slice()).message(type(), depth + 1);
    const before = read[name];
    if (!repeated) read[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else read[name] = [value];
  }

  #scalar(type: Scalar): string | number | boolean {
    switch (type) {
      case "string":
        return new TextDecoder().decode(this.#slice());
      case "bool":
        return this.#varint() !== 0n;
      case "int": {
        const value = BigInt.asIntN(64, this.#varint());
        return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
      }
      case "fixed64":
        return String(this.#view.getBigUint64(this.#take(8), true));
      case "double": {
        const value = this.#view.getFloat64(this.#take(8), true);
        return Number.isFinite(value) ? value : String(value);
      }
    }
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#view.getUint8(this.#take(1));
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new NotProtobuf();
  }

  #slice(): Uint8Array {
    const length = Number(this.#varint());
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  #skip(wire: number): void {
    if (wire === WIRE.varint) this.#varint();
    else if (wire === WIRE.fixed64) this.#take(8);
    else if (wire === WIRE.bytes) this.#slice();
    else if (wire === WIRE.fixed32) this.#take(4);
    else throw new NotProtobuf();
  }

  /** Skips `length` bytes. @returns where they begin */
  #take(length: number): number {
    const start = this.#at;
    if (length > this.#bytes.length - start) throw new NotProtobuf();
    this.#at = start + length;
    return start;
  }
}

/** Encodes an `ExportMetricsServiceResponse`; it is empty when nothing was rejected. */
export function encodeResponse(rejected: { count: number; message: string } | undefined): Uint8Array {
  if (rejected === undefined) return new Uint8Array();
  const message = new TextEncoder().encode(rejected.message);
  const partial = [0x08, ...varint(rejected.count), 0x12, ...varint(message.length), ...message];
  return Uint8Array.from([0x0a, ...varint(partial.length), ...partial]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return [...bytes, rest];
}
