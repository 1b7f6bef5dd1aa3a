/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-reference/string-functions/ */
import { plainText } from "../answers/plain-text.ts";
import { invalidInput } from "../sql-error.ts";
import { STRING, TRUTH, UINT64 } from "../values/types.ts";
import { asInteger, asText, type Value } from "../values/values.ts";
import {
  type Applied,
  checkLength,
  constantAt,
  defineFunction,
  type Functions,
  integerAt,
  typeAt,
} from "./function.ts";

const ofTexts = (count: number, applied: { type: Applied["type"]; run: (...texts: string[]) => Value }) =>
  defineFunction(count, count, (application) => {
    for (const at of application.arguments.keys()) typeAt(application, at, "String");
    return { type: applied.type, run: (values) => applied.run(...values.map(asText)) };
  });

const defineTextChange = (change: (text: string) => string) =>
  ofTexts(1, { type: STRING, run: (text = "") => change(text) });

const defineAsciiChange = (pattern: RegExp, change: (letter: string) => string) =>
  defineTextChange((text) => text.replace(pattern, (letters) => change(letters)));

const lowerAll = defineTextChange((text) => text.toLowerCase());
const upperAll = defineTextChange((text) => text.toUpperCase());

/** Code points, not UTF-16 units. */
const countCharacters = (text: string) => BigInt([...text].length);

/** Offsets start at 1; negative ones count from the end. */
function substringOf(text: string, offset: bigint, length: bigint | undefined): string {
  const characters = [...text];
  if (offset === 0n) return "";
  const from = offset > 0n ? Number(offset) - 1 : Math.max(0, characters.length + Number(offset));
  const end = length === undefined ? undefined : length < 0n ? Number(length) : from + Number(length);
  return characters.slice(from, end).join("");
}

/** `{}` is the next value, `{1}` the second. @throws SqlError for unbalanced braces or a missing value */
function formatPieces(pattern: string, values: number): (string | number)[] {
  let next = 0;
  return pattern.split(/(\{\d*\})/).map((piece, index) => {
    if (index % 2 === 0) {
      if (/[{}]/.test(piece)) throw invalidInput("format() does not support literal { and }");
      return piece;
    }
    const at = piece === "{}" ? next++ : Number(piece.slice(1, -1));
    if (at >= values) throw invalidInput(`format() has no value for ${piece}`);
    return at;
  });
}

export const stringFunctions: Functions = {
  length: ofTexts(1, { type: UINT64, run: (text = "") => countCharacters(text) }),
  empty: ofTexts(1, { type: TRUTH, run: (text) => text === "" }),
  lower: defineAsciiChange(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  upper: defineAsciiChange(/[a-z]+/g, (letters) => letters.toUpperCase()),
  lowerutf8: lowerAll,
  tolower: lowerAll,
  upperutf8: upperAll,
  toupper: upperAll,
  startswith: ofTexts(2, { type: TRUTH, run: (text = "", start = "") => text.startsWith(start) }),
  endswith: ofTexts(2, { type: TRUTH, run: (text = "", end = "") => text.endsWith(end) }),
  position: ofTexts(2, {
    type: UINT64,
    run: (needle = "", haystack = "") => {
      const at = haystack.indexOf(needle);
      return at < 0 ? 0n : countCharacters(haystack.slice(0, at)) + 1n;
    },
  }),
  substring: defineFunction(2, 3, (application) => {
    typeAt(application, 0, "String");
    integerAt(application, 1);
    if (application.arguments.length > 2) integerAt(application, 2);
    const run = ([text, offset, length]: readonly Value[]) =>
      substringOf(asText(text), asInteger(offset), length === undefined ? undefined : asInteger(length));
    return { type: STRING, run };
  }),
  format: defineFunction(1, 20, (application) => {
    typeAt(application, 0, "String");
    const types = application.arguments.slice(1).map(({ type }) => type);
    const found = formatPieces(asText(constantAt(application, 0)), types.length);
    const run = ([, ...values]: readonly Value[]) => {
      const texts = values.map((value, at) => plainText(value, types[at] ?? STRING));
      const shown = found.map((piece) => (typeof piece === "number" ? (texts[piece] ?? "") : piece));
      // Checked before joining, because one value can be repeated many times.
      checkLength(shown.reduce((sum, { length }) => sum + length, 0));
      return shown.join("");
    };
    return { type: STRING, run };
  }),
};
