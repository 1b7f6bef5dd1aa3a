/** Checks that cases share. */
import { isDeepStrictEqual } from "node:util";
import Cloudflare from "cloudflare";
import type * as z from "zod";

/** The API differs from what the project relies on. */
export class Contradiction extends Error {
  override name = "Contradiction";
}

const shown = (value: unknown): string => JSON.stringify(value) ?? "undefined";

/** @param what subject of the message @throws Contradiction */
export function checkEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Contradiction(`${what} is ${shown(actual)}, not ${shown(expected)}.`);
}

/** @param rule what must hold @throws Contradiction */
export function checkThat(rule: string, holds: boolean): void {
  if (!holds) throw new Contradiction(`This does not hold: ${rule}.`);
}

/** @param what subject of the message @throws Contradiction that names each field of another shape */
export function checkShape<T>(what: string, value: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.map(String).join(".")}: ${message}`);
  throw new Contradiction(`${what} has another shape: ${faults.join("; ")}.`);
}

export interface Refusal {
  status: number;
  code: number | undefined;
  message: string;
}

/** Codes of a token without the permission, which is no contradiction. */
const PERMISSION_CODES = [9109, 10000];

export function isPermissionError(error: unknown): boolean {
  if (!(error instanceof Cloudflare.APIError)) return false;
  if (error.status === 401) return true;
  // The SQL service answers in plain text, without a code.
  const codes = error.errors.map(({ code }) => Number(code));
  return error.status === 403 && (codes.length === 0 || codes.some((code) => PERMISSION_CODES.includes(code)));
}

/** Returns how the API refused a call. @throws Contradiction when it accepted the call; the error, if a permission is missing */
export async function refusalOf(what: string, call: PromiseLike<unknown>): Promise<Refusal> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof Cloudflare.APIError) || error.status === undefined || isPermissionError(error)) throw error;
    const [first] = error.errors;
    return { status: error.status, code: first?.code, message: first?.message ?? "" };
  }
  throw new Contradiction(`${what} is accepted, not refused.`);
}

/** @param codes accepted codes; none accepts each @throws Contradiction for another refusal, or none */
export async function checkRefused(
  what: string,
  call: PromiseLike<unknown>,
  status: number,
  ...codes: readonly number[]
): Promise<void> {
  const refusal = await refusalOf(what, call);
  checkEqual(`The status of ${what}`, refusal.status, status);
  if (codes.length > 0 && !codes.includes(Number(refusal.code)))
    throw new Contradiction(`The code of ${what} is ${refusal.code}, not ${codes.join(" or ")}.`);
}

/** Returns an id. @throws Contradiction when it is missing */
export function idOf(id: string | null | undefined): string {
  if (id === null || id === undefined || id === "") throw new Contradiction("The API returned no id.");
  return id;
}

/** Collects all pages. */
export async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of pages) items.push(item);
  return items;
}
