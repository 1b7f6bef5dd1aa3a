/**
 * Money in integer micro-units, 1,000,000 to the US dollar and to one credit. Only {@link chargeFor} rounds, so that sums do not depend on
 * their order.
 */

/** Largest absolute amount; the database enforces it. A JSON number holds it exactly. */
export const MAX_MICROS = 9_000_000_000_000_000n;

/** Cost of `perUnits` units. */
export interface Rate {
  /** At least 0. */
  readonly micros: bigint;
  /** At least 1. */
  readonly perUnits: bigint;
}

export class AmountOutOfRange extends Error {
  override name = "AmountOutOfRange";
  constructor(micros: bigint) {
    super(`${micros} micro-units exceed the maximum amount of ${MAX_MICROS}`);
  }
}

/**
 * Returns the cost of a quantity, rounded half up to the micro-unit.
 *
 * @param quantity at least 0
 * @throws AmountOutOfRange
 */
export const chargeFor = (quantity: bigint, { micros, perUnits }: Rate): bigint =>
  inRange((2n * quantity * micros + perUnits) / (2n * perUnits));

/** @throws AmountOutOfRange */
export function totalAmount(amounts: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return inRange(sum);
}

/** Returns an amount as a JSON number. @throws AmountOutOfRange */
export const jsonMicros = (amount: bigint): number => Number(inRange(amount));

function inRange(amount: bigint): bigint {
  if (amount > MAX_MICROS || amount < -MAX_MICROS) throw new AmountOutOfRange(amount);
  return amount;
}
