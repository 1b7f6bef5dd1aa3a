import type * as z from "zod";
import { CONSOLE_PATH } from "#domain/access/access-addresses.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { interfaceErrors } from "#domain/errors/interface.ts";
import type { Route } from "#workers/contracts/api/route.ts";
import { app } from "./app.ts";
import { faultOf, SessionEnded, Unanswered } from "./faults.ts";

/** The API itself waits up to 15 s for a tenant's Worker. */
const READ_TIMEOUT_MS = 25_000;
/** The API responds to a backup within 20 s. */
const CHANGE_TIMEOUT_MS = 60_000;

type Part<R extends Route, K extends "params" | "query" | "body"> = R[K] extends z.ZodType
  ? { [Key in K]: z.input<R[K]> }
  : Record<never, never>;
type QueryPart<R extends Route> = R["query"] extends z.ZodObject
  ? { query?: Partial<z.input<R["query"]>> }
  : Record<never, never>;

export type Input<R extends Route> = Part<R, "params"> & QueryPart<R> & Part<R, "body"> & { upload?: Blob };
export type Answer<R extends Route> = R["answer"] extends z.ZodType ? z.output<R["answer"]> : undefined;

interface AskOptions {
  signal?: AbortSignal | undefined;
  /** Sent as `If-Match`: the API rejects any other version with `precondition_failed`. */
  version?: number | undefined;
  /** The API carries out requests with the same key once. */
  idempotencyKey?: string | undefined;
}

/** Returns the URL of a route with its parameters and query. */
export function addressOf<R extends Route>(route: R, input: Input<R>): string {
  const { params = {}, query = {} } = input as { params?: object; query?: object };
  const values = new Map(Object.entries(params));
  const path = route.path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(values.get(name))));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined || value === null || value === "" ? [] : [[name, String(value)]],
    ),
  ).toString();
  const address = path.startsWith(`${CONSOLE_PATH}/`) ? path : app.apiPath + path;
  return search === "" ? address : `${address}?${search}`;
}

/** @throws Refused, SessionEnded, Unanswered */
export async function callApi<const R extends Route>(
  route: R,
  input: Input<R>,
  { signal, version, idempotencyKey }: AskOptions = {},
): Promise<Answer<R>> {
  const { body, upload } = input as { body?: unknown; upload?: Blob };
  const headers = new Headers({ accept: "application/json" });
  if (body !== undefined) headers.set("content-type", "application/json");
  if (version !== undefined) headers.set("if-match", `"${version}"`);
  if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
  const timeout = AbortSignal.timeout(route.method === "get" ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS);
  const response = await fetch(addressOf(route, input), {
    method: route.method.toUpperCase(),
    headers,
    body: upload ?? (body === undefined ? null : JSON.stringify(body)),
    // Access redirects a user who is not logged in to another origin, which a page cannot follow.
    redirect: "manual",
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    if (timeout.aborted) {
      throw new Unanswered(errorText(interfaceErrors.dashboard_response_late), { isTimeout: true });
    }
    throw new Unanswered(errorText(interfaceErrors.dashboard_not_reachable));
  });
  if (response.type === "opaqueredirect") throw new SessionEnded();
  if (!response.ok) throw await faultOf(response);
  if (route.answer === undefined) return undefined as Answer<R>;
  const parsed = route.answer.safeParse(await response.json().catch(() => undefined));
  if (parsed.success) return parsed.data as Answer<R>;
  throw new Unanswered(errorText(interfaceErrors.page_outdated));
}
