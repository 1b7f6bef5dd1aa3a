import * as z from "zod";

/** Without control characters, line separators and direction marks, because names appear in mail subjects and beside other text. */
const PLAIN_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]*$/u;

/** A display name on one line; may be empty. */
export const optionalName = z.string().trim().max(200).regex(PLAIN_LINE, "must be one line of plain text");

/** A display name on one line. */
export const displayName = optionalName.min(1);
