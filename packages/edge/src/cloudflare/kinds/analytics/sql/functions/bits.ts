/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-reference/bit-functions/ */
import { common, type IntegerType, integer, UINT8, wrapped } from "../values/types.ts";
import { asDouble, asInteger, type Value } from "../values/values.ts";
import { type Application, cannotUse, defined, type Functions, integerAt, typeAt } from "./function.ts";

const unsigned = (value: bigint, { bits }: IntegerType) => BigInt.asUintN(bits, value);

function ones(value: bigint): bigint {
  let count = 0n;
  for (let rest = value; rest > 0n; rest >>= 1n) count += rest & 1n;
  return count;
}

function widest(application: Application): IntegerType {
  const type = common(integerAt(application, 0), integerAt(application, 1));
  return type?.kind === "Integer" ? type : integer(64, false);
}

const both = (combine: (a: bigint, b: bigint) => bigint) =>
  defined(2, 2, (application) => {
    const type = widest(application);
    return { type, run: ([a, b]) => wrapped(combine(asInteger(a), asInteger(b)), type) };
  });

const shifted = (shift: (value: bigint, by: bigint, width: bigint) => bigint) =>
  defined(2, 2, (application) => {
    const type = integerAt(application, 0);
    integerAt(application, 1);
    const run = ([value, by]: readonly Value[]) =>
      wrapped(shift(unsigned(asInteger(value), type), BigInt.asUintN(16, asInteger(by)), BigInt(type.bits)), type);
    return { type, run };
  });

const rotated = (value: bigint, by: bigint, width: bigint) =>
  (value << (by % width)) | (value >> (width - (by % width)));

/** Returns the bits of the double. */
function memory(value: Value | undefined): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, asDouble(value));
  return view.getBigUint64(0);
}

export const bitFunctions: Functions = {
  bitand: both((a, b) => a & b),
  bitor: both((a, b) => a | b),
  bitxor: both((a, b) => a ^ b),
  bitnot: defined(1, 1, (application) => {
    const type = integerAt(application, 0);
    return { type, run: ([value]) => wrapped(~asInteger(value), type) };
  }),
  bitcount: defined(1, 1, (application) => {
    const type = typeAt(application, 0, "Integer", "Double");
    if (type.kind !== "Integer") return { type: UINT8, run: ([value]) => ones(memory(value)) };
    return { type: UINT8, run: ([value]) => ones(unsigned(asInteger(value), type)) };
  }),
  bithammingdistance: defined(2, 2, (application) => {
    const type = widest(application);
    return { type: UINT8, run: ([a, b]) => ones(unsigned(asInteger(a), type) ^ unsigned(asInteger(b), type)) };
  }),
  bitrotateleft: shifted(rotated),
  bitrotateright: shifted((value, by, width) => rotated(value, width - (by % width), width)),
  bitshiftleft: shifted((value, by, width) => (by >= width ? 0n : value << by)),
  bitshiftright: shifted((value, by) => value >> by),
  bittest: defined(2, 2, (application) => {
    typeAt(application, 0, "Integer", "Double");
    const by = integerAt(application, 1);
    if (by.signed) throw cannotUse(application, by, 1);
    return { type: UINT8, run: ([value, at]) => (asInteger(value) >> BigInt.asUintN(16, asInteger(at))) & 1n };
  }),
};
