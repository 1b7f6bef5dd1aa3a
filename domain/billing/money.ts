/**
 * Money as integers: micro-units, of which 1,000,000 are one US dollar, and one credit. Prices are rounded in one place, {@link charge};
 * everything else adds. So a sum is the same in whatever order it is taken, and whoever computes it.
 */

/** No amount lies further from 0, as the database holds it to: a number in JSON still holds it to the unit. */
export const MAX_MICROS = 9_000_000_000_000_000n;

/** What `perUnits` of something cost. */
export interface Rate {
  /** At least 0. */
  readonly micros: bigint;
  /** At least 1. */
  readonly perUnits: bigint;
}

/** An amount that neither the database nor a number in JSON can hold to the unit. */
export class AmountOutOfRange extends Error {
  override name = "AmountOutOfRange";
  constructor(micros: bigint) {
    super(`${micros} micro-units are beyond the ${MAX_MICROS} that an amount may have`);
  }
}

/**
 * What a quantity costs: rounded to the micro-unit, a half upwards.
 *
 * @param quantity at least 0
 * @throws AmountOutOfRange
 */
export function charge(quantity: bigint, { micros, perUnits }: Rate): bigint {
  return inRange((2n * quantity * micros + perUnits) / (2n * perUnits));
}

/** @throws AmountOutOfRange */
export function total(amounts: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return inRange(sum);
}

/** An amount as a number of JSON, which holds it to the unit. @throws AmountOutOfRange */
export function jsonMicros(amount: bigint): number {
  return Number(inRange(amount));
}

function inRange(amount: bigint): bigint {
  if (amount > MAX_MICROS || amount < -MAX_MICROS) throw new AmountOutOfRange(amount);
  return amount;
}
