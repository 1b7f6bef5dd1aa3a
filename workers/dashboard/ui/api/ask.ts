/** Calls of the API, typed by its own declarations (`workers/contracts/api`). */
import type * as z from "zod";
import type { Route } from "#workers/contracts/api/route.ts";
import { faultOf, SessionEnded, Unanswered } from "./faults.ts";

/** How long what was read is waited for, in milliseconds: a tenant's Worker is asked for 15 s at the most. */
const READ_MS = 25_000;
/** How long it is waited for what became of a change, in milliseconds: a backup is answered after 20 s at the latest. */
const CHANGE_MS = 60_000;

type Part<R extends Route, K extends "params" | "query" | "body"> = R[K] extends z.ZodType
  ? { [Key in K]: z.input<R[K]> }
  : Record<never, never>;
type QueryPart<R extends Route> = R["query"] extends z.ZodObject
  ? { query?: Partial<z.input<R["query"]>> }
  : Record<never, never>;

/** What a route takes. */
export type Input<R extends Route> = Part<R, "params"> & QueryPart<R> & Part<R, "body"> & { upload?: Blob };
export type Answer<R extends Route> = R["answer"] extends z.ZodType ? z.output<R["answer"]> : undefined;

export interface AskOptions {
  signal?: AbortSignal | undefined;
  /** Only this version is changed; another is refused with `precondition_failed`. */
  version?: number | undefined;
  /** The same key again has the first answer: a call that was repeated is carried out once. */
  idempotencyKey?: string | undefined;
}

/** The address of a route with its parameters and query. */
export function addressOf<R extends Route>(route: R, input: Input<R>): string {
  const { params = {}, query = {} } = input as { params?: object; query?: object };
  const values = new Map(Object.entries(params));
  const path = route.path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(values.get(name))));
  const asked = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined || value === null || value === "" ? [] : [[name, String(value)]],
    ),
  ).toString();
  return asked === "" ? path : `${path}?${asked}`;
}

/** @throws Refused, SessionEnded, Unanswered */
export async function ask<const R extends Route>(
  route: R,
  input: Input<R>,
  { signal, version, idempotencyKey }: AskOptions = {},
): Promise<Answer<R>> {
  const { body, upload } = input as { body?: unknown; upload?: Blob };
  const headers = new Headers({ accept: "application/json" });
  if (body !== undefined) headers.set("content-type", "application/json");
  if (version !== undefined) headers.set("if-match", `"${version}"`);
  if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
  const timeout = AbortSignal.timeout(route.method === "get" ? READ_MS : CHANGE_MS);
  const response = await fetch(addressOf(route, input), {
    method: route.method.toUpperCase(),
    headers,
    body: upload ?? (body === undefined ? null : JSON.stringify(body)),
    // Access leads who is not logged in to another site, which a page may not follow.
    redirect: "manual",
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    if (timeout.aborted)
      throw new Unanswered("The dashboard does not answer just now. Try again.", { isOverdue: true });
    throw new Unanswered("The dashboard cannot be reached. Check your connection, then try again.");
  });
  if (response.type === "opaqueredirect") throw new SessionEnded();
  if (!response.ok) throw await faultOf(response);
  if (route.answer === undefined) return undefined as Answer<R>;
  const read = route.answer.safeParse(await response.json().catch(() => undefined));
  if (read.success) return read.data as Answer<R>;
  throw new Unanswered("The dashboard was renewed since this page was loaded. Reload the page.");
}
