import { UnknownValueError } from "@pulumi/policy";
import * as z from "zod";

/** Value that is known only during the run. */
export const LATER = Symbol("known after the run alone");
export type Later = typeof LATER;

/** Accepts values of `schema`, or {@link LATER}. */
export const orLater = <S extends z.ZodType>(schema: S) =>
  z.union([z.custom<Later>((value) => value === LATER, "is not known"), schema]);

/**
 * Returns properties as plain values without nulls, as the vendors' plugins return missing ones. The SDK's properties throw if they are
 * unknown, which would end a rule; here they become {@link LATER}.
 */
export function knownValue(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from(value.keys(), (index) => knownValue(valueAt(value, index)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.keys(value).map((key) => [key, knownValue(valueAt(value, key))]);
  return Object.fromEntries(entries.filter(([, entry]) => entry !== null));
}

function valueAt(holder: object, key: string | number): unknown {
  try {
    return Reflect.get(holder, key);
  } catch (error) {
    if (error instanceof UnknownValueError) return LATER;
    throw error;
  }
}
