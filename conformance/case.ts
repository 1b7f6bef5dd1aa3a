/** What a case is, and the checks that cases share. */
import { isDeepStrictEqual } from "node:util";
import Cloudflare from "cloudflare";
import type * as z from "zod";
import type { Client } from "./run/client.ts";
import type { ResourceKind } from "./run/resources.ts";
import type { Scope } from "./run/scope.ts";

/** An operation of Cloudflare's API, such as `GET /zones/:zone_id/dns_records`. */
export type Operation = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

export interface Product {
  /** Name in the `cloudflare` package, in kebab case. */
  name: string;
  /** Permissions of the token, as the dashboard names them. */
  permission: string;
  /** What an account must have beside the Workers Paid plan. Default: nothing. */
  requires?: string;
  /** Environment variable that an account's run needs. Default: none. */
  variable?: string;
  /** What the cases create. Default: nothing. */
  creates?: readonly ResourceKind[];
  /** Whether the cases work in a zone. Default: false. */
  inZone?: boolean;
  /** Upper bound of what one case costs, in US dollars. Default: 0, included in the plan. */
  costUsd?: number;
  /** The stand-in to change when an account contradicts a case, below `packages/edge/src`. */
  standIn: string;
}

export interface CaseBody {
  /** Called in `run`. */
  operations: readonly Operation[];
  /** One sentence. */
  reliesOn: string;
  /** URL of the documentation, or a path in a repository. */
  source: string;
  /** Why the edge cannot show it. Default: it runs on the edge. */
  notEmulated?: string;
  run(client: Client, scope: Scope): Promise<void>;
}

export interface Case extends CaseBody {
  /** `PRODUCT.WHAT` */
  id: string;
  product: Product;
}

export const NOT_DOCUMENTED = "not documented";

/** @param bodies by the second part of their ids */
export function casesOf(product: Product, bodies: Readonly<Record<string, CaseBody>>): Case[] {
  return Object.entries(bodies).map(([name, body]) => ({ ...body, id: `${product.name}.${name}`, product }));
}

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
  return error.status === 403 && error.errors.some(({ code }) => PERMISSION_CODES.includes(Number(code)));
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
