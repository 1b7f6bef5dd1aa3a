import { describe, expect, test } from "vitest";
import { fromStruct, hasUnknown, type Properties, toStruct, UNKNOWN } from "./properties.ts";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const ASSET = "c44067f5952c0a294b673a41bacd8c17";
const UNKNOWN_NUMBER = "3eeb2bf0-c639-47a8-9e75-3b44932eb421";

const sent = (properties: Properties) => fromStruct(toStruct(properties));

describe("properties on the wire", () => {
  test("keep plain values and omit undefined ones", () => {
    const properties = { text: "a", number: 1.5, on: false, none: null, list: [1, { two: [] }], left: undefined };
    const { left: _, ...rest } = properties;
    expect(sent(properties)).toEqual(rest);
    expect(fromStruct(undefined)).toEqual({});
  });

  test("unwrap secrets at any depth, and outputs", () => {
    const secret = { [SIGNATURE]: SECRET, value: { password: { [SIGNATURE]: SECRET, value: "p" } } };
    const output = { [SIGNATURE]: OUTPUT, value: "known", secret: true, dependencies: [] };
    const pending = { [SIGNATURE]: OUTPUT, secret: false, dependencies: [] };
    expect(sent({ origins: [secret], output, pending })).toEqual({
      origins: [{ password: "p" }],
      output: "known",
      pending: UNKNOWN,
    });
  });

  test("map every kind of unknown value to one placeholder", () => {
    const properties = sent({ size: UNKNOWN_NUMBER, deep: [{ id: UNKNOWN }], known: 1 });
    expect(properties).toEqual({ size: UNKNOWN, deep: [{ id: UNKNOWN }], known: 1 });
    expect([properties.size, properties.deep, properties.known].map(hasUnknown)).toEqual([true, true, false]);
  });

  test("keep the signature of an asset", () => {
    const asset = { [SIGNATURE]: ASSET, path: "./file", hash: "abc" };
    expect(sent({ asset })).toEqual({ asset });
  });

  test("mark declared secrets unless they are unknown", () => {
    const fields = toStruct({ value: "v", other: UNKNOWN, open: 1 }, ["value", "other"]).toJavaScript();
    expect(fields).toEqual({ value: { [SIGNATURE]: SECRET, value: "v" }, other: UNKNOWN, open: 1 });
  });

  test("reject a value that is not JSON", () => {
    expect(() => toStruct({ call: () => 1 })).toThrow("a property cannot hold a function");
  });
});
