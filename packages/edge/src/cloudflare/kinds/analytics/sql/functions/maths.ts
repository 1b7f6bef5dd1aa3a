/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-reference/mathematical-functions/ and …/rounding-functions/ */
import { invalidInput } from "../sql-error.ts";
import { DOUBLE, type IntegerType, wrapInteger } from "../values/types.ts";
import { asDouble, asInteger } from "../values/values.ts";
import { type Application, type Applied, constantAt, defineFunction, type Functions, typeAt } from "./function.ts";

const defineDoubleFunction = (count: number, compute: (...values: number[]) => number) =>
  defineFunction(count, count, (application) => {
    for (const at of application.arguments.keys()) typeAt(application, at, "Integer", "Double");
    return { type: DOUBLE, run: (values) => compute(...values.map(asDouble)) };
  });

/** Rounds half to even, like ClickHouse for doubles. */
function halfEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}

const MOST_PLACES = 15;

function decimalPlaces(application: Application): number {
  const given = application.arguments[1];
  if (given === undefined) return 0;
  typeAt(application, 1, "Integer");
  const count = Number(asInteger(constantAt(application, 1)));
  if (Math.abs(count) > MOST_PLACES) throw invalidInput(`argument 2 in ${application.text} is out of range`);
  return count;
}

function defineRounding(step: (value: number) => number) {
  return defineFunction(1, 2, (application): Applied => {
    const type = typeAt(application, 0, "Integer", "Double");
    const count = decimalPlaces(application);
    const scale = 10 ** Math.abs(count);
    const round = (value: number) => (count < 0 ? step(value / scale) * scale : step(value * scale) / scale);
    if (type.kind !== "Integer") return { type, run: ([value]) => roundScaled(asDouble(value), round) };
    if (count >= 0) return { type, run: ([value = 0n]) => value };
    return { type, run: ([value]) => wrapInteger(BigInt(round(Number(asInteger(value)))), type) };
  });
}

/** A value that overflows when scaled has no decimal places. */
function roundScaled(value: number, round: (value: number) => number): number {
  const result = round(value);
  return Number.isFinite(result) ? result : value;
}

/** Divides towards zero. @throws SqlError for a division by zero */
export function integerQuotient(a: bigint, b: bigint, type: IntegerType): bigint {
  if (b === 0n) throw invalidInput("Division by zero");
  return wrapInteger(a / b, type);
}

export const mathFunctions: Functions = {
  intdiv: defineFunction(2, 2, (application) => {
    const [a, b] = [typeAt(application, 0, "Integer", "Double"), typeAt(application, 1, "Integer", "Double")];
    const isSigned = [a, b].some((type) => type.kind !== "Integer" || type.signed);
    const bits = a.kind === "Integer" ? a.bits : 64;
    const type: IntegerType = { kind: "Integer", name: `${isSigned ? "Int" : "UInt"}${bits}`, bits, signed: isSigned };
    return { type, run: ([left, right]) => integerQuotient(asInteger(left), asInteger(right), type) };
  }),
  log: defineDoubleFunction(1, Math.log),
  ln: defineDoubleFunction(1, Math.log),
  pow: defineDoubleFunction(2, Math.pow),
  round: defineRounding(halfEven),
  floor: defineRounding(Math.floor),
  ceil: defineRounding(Math.ceil),
};
