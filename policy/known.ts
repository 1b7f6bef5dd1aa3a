/** What of a resource's properties is known before the run. */
import { UnknownValueError } from "@pulumi/policy";
import * as z from "zod";

/** Stands for a value that only the run will tell. */
export const LATER = Symbol("known after the run alone");
export type Later = typeof LATER;

/** What `schema` takes, or {@link LATER}. */
export const orLater = <S extends z.ZodType>(schema: S) =>
  z.union([z.custom<Later>((value) => value === LATER, "is not known"), schema]);

/**
 * The properties as plain values. The SDK's throw where they are unknown, and a rule that touched one would tell nothing but that:
 * here each stands as {@link LATER}, and what is null is left out, as the vendor's plug-ins answer what was not given.
 */
export function known(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from(value.keys(), (index) => known(valueAt(value, index)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.keys(value).map((key) => [key, known(valueAt(value, key))]);
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
