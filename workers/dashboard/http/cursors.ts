import { decodeCursor, encodeCursor, type Place } from "#database/cursor.ts";
import { invalidInput } from "./failure.tsx";

export interface PageRequest {
  limit: number;
  after: Place | undefined;
}

/**
 * Returns a page of a list.
 *
 * @param list is called with a limit of one more entry, which tells whether another page follows
 * @throws Failure `invalid_request` for an invalid cursor
 */
export async function pageOf<T, B>(
  { limit, after }: { limit: number; after?: string | undefined },
  list: (page: PageRequest) => Promise<readonly T[]>,
  { body, placeOf }: { body: (item: T) => B; placeOf: (item: T) => Place },
): Promise<{ data: B[]; pagination: { next: string | null } }> {
  const place = after === undefined ? undefined : decodeCursor(after);
  if (after !== undefined && place === undefined) {
    throw invalidInput("query", { after: ["is not a cursor of this list; omit it to start from the first page"] });
  }
  const found = await list({ limit: limit + 1, after: place });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return { data: page.map(body), pagination: { next: last === undefined ? null : encodeCursor(placeOf(last)) } };
}
