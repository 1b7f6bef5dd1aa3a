import type { Difference } from "@tenantry/std/difference";
import type * as z from "zod";
import type { RecordKind, Records } from "../../account/records.ts";
import type { Store } from "../../account/store.ts";
import { ApiError } from "./api-error.ts";
import type { ApiContext } from "./context.ts";

export { ApiError };

export interface ResultInfo {
  page?: number;
  per_page?: number;
  count?: number;
  total_count?: number;
  total_pages?: number;
  cursor?: string | undefined;
  next_page_token?: string | undefined;
}

/** @param status Default: 200 */
export function successResponse(result: unknown, resultInfo?: ResultInfo, status = 200): Response {
  const info = resultInfo === undefined ? {} : { result_info: resultInfo };
  return Response.json({ success: true, errors: [], messages: [], result, ...info }, { status });
}

export function failureResponse(status: number, code: number, message: string, headers = {}): Response {
  return Response.json(
    { success: false, errors: [{ code, message }], messages: [], result: null },
    { status, headers },
  );
}

/** Returns a positive number of a query, such as a page size. @throws ApiError 400 */
export function pageLimit(query: URLSearchParams, name: string, fallback: number, maximum: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new ApiError(400, 1003, `Invalid value for ${name}: ${text}`);
  return Math.min(value, maximum);
}

/** Returns one page by `page` (default 1) and `per_page` (default 20, at most 1000). */
export function numberedPage(items: unknown[], query: URLSearchParams): Response {
  const page = pageLimit(query, "page", 1, Number.MAX_SAFE_INTEGER);
  const perPage = pageLimit(query, "per_page", 20, 1000);
  const result = items.slice((page - 1) * perPage, page * perPage);
  return successResponse(result, {
    page,
    per_page: perPage,
    count: result.length,
    total_count: items.length,
    total_pages: Math.ceil(items.length / perPage),
  });
}

/** Returns the whole list, with the totals of single-page endpoints. */
export function wholeList(items: unknown[]): Response {
  return successResponse(items, { page: 1, per_page: items.length, count: items.length, total_count: items.length });
}

/** Sorts the list and returns one page. The cursor encodes the last key. */
export function cursorPage<T>(
  items: T[],
  keyOf: (item: T) => string,
  options: { limit: number; cursor: string | null },
): { items: T[]; info: ResultInfo } {
  const sorted = items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const after = options.cursor === null ? undefined : Buffer.from(options.cursor, "base64url").toString();
  const rest = after === undefined ? sorted : sorted.filter((item) => keyOf(item) > after);
  const page = rest.slice(0, options.limit);
  const last = page.at(-1);
  const more = rest.length > page.length && last !== undefined;
  return {
    items: page,
    info: {
      per_page: options.limit,
      count: page.length,
      cursor: more ? Buffer.from(keyOf(last)).toString("base64url") : undefined,
    },
  };
}

type ParameterName<P extends string> = P extends `${infer Name}{${string}` ? Name : P;

/** Names of the parameters in a route pattern such as `GET /zones/:zone_id/dns_records/:id`. */
export type Parameters<Route extends string> = Route extends `${string}:${infer P}/${infer Rest}`
  ? ParameterName<P> | Parameters<`/${Rest}`>
  : Route extends `${string}:${infer P}`
    ? ParameterName<P>
    : never;

export interface Call<P extends string = never> {
  /** Path parameters, percent-decoded. */
  params: Readonly<Record<P, string>>;
  query: URLSearchParams;
  headers: Headers;
  /** Read before the handler runs, so that handlers without `await` are atomic. */
  body: Uint8Array<ArrayBuffer>;
}

export type Handler<P extends string = never> = (call: Call<P>) => Response | Promise<Response>;

/** Splits a list of names at white space. */
export const splitWords = (text: string): string[] => text.trim().split(/\s+/);

/** Parses the JSON body. @throws ApiError 400 with `code` for an invalid body */
export function readBody<T>(call: Pick<Call, "body">, schema: z.ZodType<T>, code: number): T {
  const text = new TextDecoder().decode(call.body);
  let json: unknown;
  try {
    json = text === "" ? {} : JSON.parse(text);
  } catch {
    throw new ApiError(400, code, "Could not parse the request body as JSON.");
  }
  return validateInput(json, schema, code);
}

/** @throws ApiError 400 with `code` that names each invalid field */
export function validateInput<T>(value: unknown, schema: z.ZodType<T>, code: number): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => {
    const path = issue.path.map(String).join(".");
    return path === "" ? issue.message : `${path}: ${issue.message}`;
  });
  throw new ApiError(400, code, faults.join("; "));
}

/** Returns a function that finds a record by its id. The function throws an ApiError 404 when the record does not exist. */
export function recordFinder<K extends RecordKind>(kind: K, code: number, message: string) {
  return (store: Store, id: string): Records[K] => {
    const record = store.get(kind, id);
    if (record === undefined) throw new ApiError(404, code, message);
    return record;
  };
}

/** Method of the SDK by `METHOD path`; `-` if the SDK has none. */
type Operations = Readonly<Record<string, string>>;

interface Declared {
  /** Title in the coverage table. */
  title: string;
  operations: Operations;
  /** Operations other than GET that groups for reading include. Default: none. */
  alsoReads?: readonly string[];
  /** Operations whose handlers check a token of their own. Default: none. */
  ownToken?: readonly string[];
  /** Known differences from Cloudflare. Default: none. */
  differs?: readonly Difference[];
}

export interface ApiPart extends Declared {
  handlers: (context: ApiContext) => Readonly<Record<string, Handler<string>>>;
}

/** Declares an API part. The compiler requires one handler for each operation. */
export function apiPart<O extends Operations>(
  part: Declared & {
    operations: O;
    alsoReads?: readonly (keyof O & string)[];
    ownToken?: readonly (keyof O & string)[];
    handlers: (context: ApiContext) => { readonly [Route in keyof O & string]: Handler<Parameters<Route>> };
  },
): ApiPart {
  return part;
}
