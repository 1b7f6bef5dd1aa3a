/** Pages of lists by cursor. */
import { decodeCursor, encodeCursor, type Place } from "#database/cursor.ts";
import { Failure } from "./failure.tsx";

/** Where the page before ended; undefined for the first page. @throws Failure `invalid_request` for what is no cursor */
export function placeAfter(after: string | undefined): Place | undefined {
  if (after === undefined) return undefined;
  const place = decodeCursor(after);
  if (place === undefined) throw noCursor();
  return place;
}

export function noCursor(): Failure {
  return new Failure("invalid_request", "The query holds values that cannot be.", {
    after: ["is not a cursor of this list; omit it to start from the first page"],
  });
}

/** A page of what was found, which is one more than fits when there are more. */
export function pageOf<T, B>(
  found: readonly T[],
  { limit, body, placeOf }: { limit: number; body: (item: T) => B; placeOf: (item: T) => Place },
): { data: B[]; pagination: { next: string | null } } {
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return { data: page.map(body), pagination: { next: last === undefined ? null : encodeCursor(placeOf(last)) } };
}
