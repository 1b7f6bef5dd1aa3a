/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-reference/ (conditional, type conversion and encoding functions) */
import { fillChoice } from "../compiling/vectors.ts";
import { invalidInput } from "../sql-error.ts";
import { commonType, type IntegerType, type SqlType, STRING, UINT8, UINT32, wrapInteger } from "../values/types.ts";
import { asDouble, asInteger, asText, asTruth, type Value } from "../values/values.ts";
import { defineFunction, type Functions, typeAt } from "./function.ts";

const defineConversion = (to: IntegerType) =>
  defineFunction(1, 1, (application) => {
    const { kind } = typeAt(application, 0, "Integer", "Double", "String", "Boolean", "DateTime", "Date");
    if (kind !== "String") return { type: to, run: ([value]) => wrapInteger(asInteger(value), to) };
    return { type: to, run: ([value]) => wrapInteger(parseInteger(asText(value), to), to) };
  });

function parseInteger(text: string, to: SqlType): bigint {
  if (!/^[-+]?\d{1,20}$/.test(text)) throw invalidInput(`cannot parse string as ${to.name}`);
  return BigInt(text);
}

/** Big-endian bytes of integers, without leading zeros. */
function bytesOf(value: Value | undefined, type: SqlType): number[] {
  if (typeof value === "string") return [...Buffer.from(value, "utf8")];
  if (type.kind === "Double") {
    const memory = Buffer.alloc(8);
    memory.writeDoubleLE(asDouble(value));
    return [...memory];
  }
  const digits = (type.kind === "Integer" ? BigInt.asUintN(type.bits, asInteger(value)) : asInteger(value)).toString(
    16,
  );
  return [...Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex")];
}

const defineEncoding = (base: number, width: number) =>
  defineFunction(1, 1, (application) => {
    const type = typeAt(application, 0, "Integer", "Double", "String", "DateTime");
    const digits = (byte: number) => byte.toString(base).padStart(width, "0").toUpperCase();
    return { type: STRING, run: ([value]) => bytesOf(value, type).map(digits).join("") };
  });

export const conversionFunctions: Functions = {
  if: defineFunction(3, 3, (application) => {
    typeAt(application, 0, "Boolean", "Integer");
    const [yes, no] = [typeAt(application, 1), typeAt(application, 2)];
    const type = commonType(yes, no);
    // The error text of the live service, according to public reports.
    if (type === undefined) {
      throw invalidInput(
        `the 2nd and 3rd arguments to IF() function must have the same type but instead had ${yes.kind} and ${no.kind}: ${application.text}`,
      );
    }
    const fill = type.kind === "String" ? undefined : fillChoice;
    return { type, fill, lazily: (value) => (asTruth(value(0)) ? value(1) : value(2)) };
  }),
  touint8: defineConversion(UINT8),
  touint32: defineConversion(UINT32),
  hex: defineEncoding(16, 2),
  bin: defineEncoding(2, 8),
};
