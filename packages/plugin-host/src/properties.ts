import struct from "google-protobuf/google/protobuf/struct_pb.js";

/**
 * Properties as plain JSON values. Secrets are unwrapped. An unknown value is the string {@link UNKNOWN}. Assets, archives and resource
 * references are objects in the engine's signed form.
 */
export type Properties = Record<string, unknown>;

/** Placeholder of a value that a preview does not know (pulumi: `plugin.UnknownStringValue`). */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The engine's placeholders of strings, booleans, numbers, arrays, assets, archives and objects. */
const UNKNOWNS = new Set([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** Returns whether `value` is an object, and neither null nor an array. */
export function isObject(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns whether `value` is unknown or contains an unknown value. */
export function hasUnknown(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isObject(value) ? Object.values(value).some(hasUnknown) : value === UNKNOWN;
}

function toPlain(value: unknown): unknown {
  if (typeof value === "string") return UNKNOWNS.has(value) ? UNKNOWN : value;
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isObject(value)) return value;
  if (value[SIGNATURE] === SECRET) return toPlain(value.value);
  if (value[SIGNATURE] === OUTPUT) return "value" in value ? toPlain(value.value) : UNKNOWN;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toPlain(inner)]));
}

function withoutUndefined(value: unknown): struct.JavaScriptValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return value;
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (!isObject(value)) throw new TypeError(`a property cannot hold a ${typeof value}`);
  const defined = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(defined.map(([key, inner]) => [key, withoutUndefined(inner)]));
}

/** Converts the properties of a request. */
export function fromStruct(message: struct.Struct | undefined): Properties {
  const properties = message === undefined ? {} : toPlain(message.toJavaScript());
  return isObject(properties) ? properties : {};
}

/** Converts properties for a response. Marks those named in `secrets` as secret, and omits undefined ones. */
export function toStruct(properties: Properties, secrets: readonly string[] = []): struct.Struct {
  const fields: Record<string, struct.JavaScriptValue> = {};
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    const json = withoutUndefined(value);
    fields[key] = secrets.includes(key) && value !== UNKNOWN ? { [SIGNATURE]: SECRET, value: json } : json;
  }
  return struct.Struct.fromJavaScript(fields);
}
