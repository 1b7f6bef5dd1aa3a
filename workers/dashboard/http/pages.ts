/** Pages of lists, as handlers make them. */
import { decodeCursor, encodeCursor, type Place } from "../../../database/cursor.ts";
import { Failure } from "./failure.tsx";

/** @throws Failure `invalid_request` for what is no cursor of ours */
export function placeAfter(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const place = decodeCursor(cursor);
  if (place !== undefined) return place;
  throw new Failure("invalid_request", "The query holds values that cannot be.", {
    after: ["is no cursor of this list; leave it out to begin anew"],
  });
}

/** A page of `limit` of what was found, one more at most. */
export function pageOfFound<T, B>(found: readonly T[], limit: number, body: (one: T) => B, placeOf: (one: T) => Place) {
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return { data: page.map(body), pagination: { next: last === undefined ? null : encodeCursor(placeOf(last)) } };
}
