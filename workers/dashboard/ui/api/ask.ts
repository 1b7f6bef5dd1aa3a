import { type RequestOptions, request, addressOf as urlOf } from "@tenantry/client/request";
import type * as z from "zod";
import { errorText } from "#domain/errors/catalogue.ts";
import { interfaceErrors } from "#domain/errors/interface.ts";
import type { Route } from "#workers/contracts/api/route.ts";
import { app } from "./app.ts";
import { faultOf, Unanswered } from "./faults.ts";

/** The API itself waits up to 15 s for a tenant's Worker. */
const READ_TIMEOUT_MS = 25_000;
/** The API responds to a backup within 20 s. */
const CHANGE_TIMEOUT_MS = 60_000;
/** For a large file and a slow network. */
const UPLOAD_TIMEOUT_MS = 13 * 60_000;

type Part<R extends Route, K extends "params" | "query" | "body"> = R[K] extends z.ZodType
  ? { [Key in K]: z.input<R[K]> }
  : Record<never, never>;
type QueryPart<R extends Route> = R["query"] extends z.ZodObject
  ? { query?: Partial<z.input<R["query"]>> }
  : Record<never, never>;

export type Input<R extends Route> = Part<R, "params"> & QueryPart<R> & Part<R, "body"> & { upload?: Blob };
export type Answer<R extends Route> = R["answer"] extends z.ZodType ? z.output<R["answer"]> : undefined;

/** Parameters of a path in braces, as in the OpenAPI document. */
const templateOf = ({ path }: Route) => path.replaceAll(/:(\w+)/g, "{$1}");

/** Fields of a filter that a user leaves empty are no values. */
const given = (query: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""));

/** Returns the URL of a route with its parameters and query. */
export function addressOf<R extends Route>(route: R, input: Input<R>): string {
  const { params = {}, query = {} } = input as { params?: Record<string, unknown>; query?: object };
  return urlOf(app.apiPath, templateOf(route), params, given(query));
}

/** @throws Refused, SessionEnded, Unanswered */
export async function callApi<const R extends Route>(
  route: R,
  input: Input<R>,
  options: RequestOptions = {},
): Promise<Answer<R>> {
  const {
    params,
    query = {},
    body,
    upload,
  } = input as {
    params?: Record<string, unknown>;
    query?: object;
    body?: unknown;
    upload?: Blob;
  };
  const connection = { baseUrl: app.apiPath };
  const changeMs = route.upload?.streams ? UPLOAD_TIMEOUT_MS : CHANGE_TIMEOUT_MS;
  const timeoutMs = route.method === "get" ? READ_TIMEOUT_MS : changeMs;
  // Queries and users repeat requests.
  const transport = { connect: () => connection, attempts: 1, timeoutMs };
  const method = route.method.toUpperCase();
  const sent = { ...options, method, path: templateOf(route), params, query: given(query), body: upload ?? body };
  const response = await request(transport, sent).catch((error: unknown) => {
    throw faultOf(error);
  });
  if (route.answer === undefined) return undefined as Answer<R>;
  const parsed = route.answer.safeParse(await response.json().catch(() => undefined));
  if (parsed.success) return parsed.data as Answer<R>;
  throw new Unanswered(errorText(interfaceErrors.page_outdated));
}
