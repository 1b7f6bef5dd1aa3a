import * as z from "zod";

/** No control character, line separator or mark that turns the direction of text: a name stands in subjects, in mail and beside others. */
const PLAIN_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]*$/u;

/** A name that people read, on one line; none is the empty one. */
export const optionalName = z.string().trim().max(200).regex(PLAIN_LINE, "must be one line of plain text");

/** A name that people read, on one line. */
export const displayName = optionalName.min(1);
