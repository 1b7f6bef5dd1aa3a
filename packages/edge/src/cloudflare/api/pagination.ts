import { ApiError } from "./api-error.ts";
import { type ResultInfo, success } from "./envelope.ts";

function integer(query: URLSearchParams, name: string, fallback: number, maximum: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new ApiError(400, 1003, `Invalid value for ${name}: ${text}`);
  return Math.min(value, maximum);
}

/** Returns one page by `page` (default 1) and `per_page` (default 20, at most 1000). */
export function numberedPage(items: unknown[], query: URLSearchParams): Response {
  const page = integer(query, "page", 1, Number.MAX_SAFE_INTEGER);
  const perPage = integer(query, "per_page", 20, 1000);
  const result = items.slice((page - 1) * perPage, page * perPage);
  return success(result, {
    page,
    per_page: perPage,
    count: result.length,
    total_count: items.length,
    total_pages: Math.ceil(items.length / perPage),
  });
}

/** Returns the whole list, with the totals of single-page endpoints. */
export function wholeList(items: unknown[]): Response {
  return success(items, { page: 1, per_page: items.length, count: items.length, total_count: items.length });
}

/** Returns the page size of the query parameter `name`. */
export function pageLimit(query: URLSearchParams, name: string, fallback: number, maximum: number): number {
  return integer(query, name, fallback, maximum);
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
      ...(more ? { cursor: Buffer.from(keyOf(last)).toString("base64url") } : {}),
    },
  };
}
