/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-reference/bit-functions/ */
import { commonType, type IntegerType, integerType, UINT8, wrapInteger } from "../values/types.ts";
import { asDouble, asInteger, type Value } from "../values/values.ts";
import { type Application, cannotUse, defineFunction, type Functions, integerAt, typeAt } from "./function.ts";

const asUnsigned = (value: bigint, { bits }: IntegerType) => BigInt.asUintN(bits, value);

function countOnes(value: bigint): bigint {
  let count = 0n;
  for (let rest = value; rest > 0n; rest >>= 1n) count += rest & 1n;
  return count;
}

function widestArgument(application: Application): IntegerType {
  const type = commonType(integerAt(application, 0), integerAt(application, 1));
  return type?.kind === "Integer" ? type : integerType(64, false);
}

const defineBitwise = (combine: (a: bigint, b: bigint) => bigint) =>
  defineFunction(2, 2, (application) => {
    const type = widestArgument(application);
    return { type, run: ([a, b]) => wrapInteger(combine(asInteger(a), asInteger(b)), type) };
  });

const defineShift = (shift: (value: bigint, by: bigint, width: bigint) => bigint) =>
  defineFunction(2, 2, (application) => {
    const type = integerAt(application, 0);
    integerAt(application, 1);
    const run = ([value, by]: readonly Value[]) =>
      wrapInteger(
        shift(asUnsigned(asInteger(value), type), BigInt.asUintN(16, asInteger(by)), BigInt(type.bits)),
        type,
      );
    return { type, run };
  });

const rotateBits = (value: bigint, by: bigint, width: bigint) =>
  (value << (by % width)) | (value >> (width - (by % width)));

/** Returns the bits of the double. */
function bytesOfValue(value: Value | undefined): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, asDouble(value));
  return view.getBigUint64(0);
}

export const bitFunctions: Functions = {
  bitand: defineBitwise((a, b) => a & b),
  bitor: defineBitwise((a, b) => a | b),
  bitxor: defineBitwise((a, b) => a ^ b),
  bitnot: defineFunction(1, 1, (application) => {
    const type = integerAt(application, 0);
    return { type, run: ([value]) => wrapInteger(~asInteger(value), type) };
  }),
  bitcount: defineFunction(1, 1, (application) => {
    const type = typeAt(application, 0, "Integer", "Double");
    if (type.kind !== "Integer") return { type: UINT8, run: ([value]) => countOnes(bytesOfValue(value)) };
    return { type: UINT8, run: ([value]) => countOnes(asUnsigned(asInteger(value), type)) };
  }),
  bithammingdistance: defineFunction(2, 2, (application) => {
    const type = widestArgument(application);
    return { type: UINT8, run: ([a, b]) => countOnes(asUnsigned(asInteger(a), type) ^ asUnsigned(asInteger(b), type)) };
  }),
  bitrotateleft: defineShift(rotateBits),
  bitrotateright: defineShift((value, by, width) => rotateBits(value, width - (by % width), width)),
  bitshiftleft: defineShift((value, by, width) => (by >= width ? 0n : value << by)),
  bitshiftright: defineShift((value, by) => value >> by),
  bittest: defineFunction(2, 2, (application) => {
    typeAt(application, 0, "Integer", "Double");
    const by = integerAt(application, 1);
    if (by.signed) throw cannotUse(application, by, 1);
    return { type: UINT8, run: ([value, at]) => (asInteger(value) >> BigInt.asUintN(16, asInteger(at))) & 1n };
  }),
};
