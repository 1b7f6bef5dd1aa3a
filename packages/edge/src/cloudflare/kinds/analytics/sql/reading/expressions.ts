/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-reference/operators/ and …/literals/ */
import { invalidInput } from "../sql-error.ts";
import type { BinaryOperator, Expression, IntervalUnit } from "./syntax.ts";
import type { TokenReader } from "./token-reader.ts";

const UNITS: ReadonlySet<string> = new Set<IntervalUnit>(["YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"]);
const isUnit = (text: string): text is IntervalUnit => UNITS.has(text);

/** Words that need quotes as column names. */
const RESERVED: ReadonlySet<string> = new Set(
  "SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET FORMAT AS AND OR NOT IN BETWEEN LIKE ILIKE DISTINCT ALL ASC DESC IS".split(
    " ",
  ),
);

/** Syntax that Cloudflare's parser accepts but its service rejects or does not document. */
const UNSUPPORTED: ReadonlySet<string> = new Set("CASE CAST EXISTS NULL".split(" "));

export function isReserved(word: string): boolean {
  return RESERVED.has(word.toUpperCase());
}

export function parseExpression(reader: TokenReader): Expression {
  return reader.nested(() => parseDisjunction(reader));
}

type Read = (reader: TokenReader) => Expression;

/** Parses left-associative operators of one precedence. */
function leftToRight(operand: Read, operator: (reader: TokenReader) => BinaryOperator | undefined): Read {
  return (reader) => {
    let left = operand(reader);
    for (let found = operator(reader); found !== undefined; found = operator(reader)) {
      reader.countOperator();
      left = { kind: "binary", operator: found, left, right: operand(reader) };
    }
    return left;
  };
}

const acceptKeyword = (word: "AND" | "OR") => (reader: TokenReader) => (reader.takesKeywords(word) ? word : undefined);
const acceptSymbol =
  (...known: readonly BinaryOperator[]) =>
  (reader: TokenReader) =>
    known.find((one) => reader.takesSymbol(one));

const product = leftToRight(parseSigned, acceptSymbol("*", "/", "%"));
const parseSum = leftToRight(product, acceptSymbol("+", "-"));
const conjunction = leftToRight(parseNegation, acceptKeyword("AND"));
const parseDisjunction = leftToRight(conjunction, acceptKeyword("OR"));

function parseNegation(reader: TokenReader): Expression {
  if (!reader.takesKeywords("NOT")) return parseComparison(reader);
  reader.countOperator();
  return { kind: "not", of: reader.nested(() => parseNegation(reader)) };
}

const COMPARISONS: Readonly<Record<string, BinaryOperator>> = {
  "=": "=",
  "!=": "!=",
  "<>": "!=",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
};

function parseComparison(reader: TokenReader): Expression {
  let left = parseSum(reader);
  for (;;) {
    const token = reader.peek();
    const operator = token.kind === "symbol" ? COMPARISONS[token.text] : undefined;
    if (operator !== undefined) {
      reader.next();
      reader.countOperator();
      left = { kind: "binary", operator, left, right: parseSum(reader) };
      continue;
    }
    const tested = parseMembership(reader, left);
    if (tested === undefined) return left;
    left = tested;
  }
}

function parseMembership(reader: TokenReader, of: Expression): Expression | undefined {
  const isNegated =
    reader.isKeyword("NOT") && ["IN", "BETWEEN", "LIKE", "ILIKE"].some((word) => reader.isKeyword(word, 1));
  if (isNegated) reader.next();
  const found = parseTest(reader, of);
  if (found !== undefined) reader.countOperator();
  return found !== undefined && isNegated ? { kind: "not", of: found } : found;
}

function parseTest(reader: TokenReader, of: Expression): Expression | undefined {
  if (reader.takesKeywords("IN")) {
    reader.expectSymbol("(");
    const list = reader.list(() => parseExpression(reader));
    reader.expectSymbol(")");
    return { kind: "in", of, list };
  }
  if (reader.takesKeywords("BETWEEN")) {
    const from = parseSum(reader);
    reader.expectKeyword("AND");
    return { kind: "between", of, from, to: parseSum(reader) };
  }
  for (const word of ["LIKE", "ILIKE"]) {
    if (reader.takesKeywords(word))
      return { kind: "like", of, pattern: parseSum(reader), ignoresCase: word === "ILIKE" };
  }
  if (reader.isKeyword("IS")) throw invalidInput("unsupported expression type: IS");
  return undefined;
}

function parseSigned(reader: TokenReader): Expression {
  if (!reader.takesSymbol("-")) return parsePrimary(reader);
  reader.countOperator();
  const of = reader.nested(() => parseSigned(reader));
  if (of.kind === "integer" || of.kind === "double") return { ...of, value: -of.value } as Expression;
  return { kind: "negate", of };
}

function parsePrimary(reader: TokenReader): Expression {
  const token = reader.peek();
  if (token.kind === "symbol" && token.text === "(") {
    reader.next();
    if (reader.isKeyword("SELECT")) throw invalidInput("unsupported expression type: a query within an expression");
    const inner = parseExpression(reader);
    reader.expectSymbol(")");
    return inner;
  }
  if (token.kind === "number") return literalNumber(reader.next().text);
  if (token.kind === "string") return { kind: "string", value: reader.next().text };
  if (token.kind === "name") return { kind: "column", name: reader.next().text };
  const isFormat = reader.isKeyword("FORMAT") && reader.isSymbol("(", 1);
  if (token.kind !== "word" || (isReserved(token.text) && !isFormat)) throw reader.unexpected("an expression:");
  return parseNamed(reader);
}

function literalNumber(text: string): Expression {
  if (!/^\d+$/.test(text)) return { kind: "double", value: Number(text) };
  const value = BigInt(text);
  if (value >= 2n ** 64n) throw invalidInput(`unable to parse number: ${text}`);
  return { kind: "integer", value };
}

function parseNamed(reader: TokenReader): Expression {
  const word = reader.next().text;
  const upper = word.toUpperCase();
  if (UNSUPPORTED.has(upper)) throw invalidInput(`unsupported expression type: ${upper}`);
  if (!reader.isSymbol("(")) {
    if (upper === "TRUE" || upper === "FALSE") return { kind: "boolean", value: upper === "TRUE" };
    if (upper === "INTERVAL") return parseInterval(reader);
    return { kind: "column", name: word };
  }
  if (upper === "EXTRACT") return parseExtract(reader);
  if (upper === "POSITION") return parsePosition(reader, word);
  return parseCall(reader, word);
}

function parseInterval(reader: TokenReader): Expression {
  const count = reader.peek();
  if (count.kind !== "string" || !/^-?\d{1,9}$/.test(count.text))
    throw reader.unexpected("a number in quotes, as in INTERVAL '1' DAY");
  reader.next();
  return { kind: "interval", count: BigInt(count.text), unit: parseIntervalUnit(reader) };
}

function parseIntervalUnit(reader: TokenReader): IntervalUnit {
  const text = reader.peek().text.toUpperCase();
  if (!isUnit(text)) throw reader.unexpected(`one of ${[...UNITS].join(", ")}`);
  reader.next();
  return text;
}

function parseExtract(reader: TokenReader): Expression {
  reader.expectSymbol("(");
  const of = parseIntervalUnit(reader);
  reader.expectKeyword("FROM");
  const from = parseExpression(reader);
  reader.expectSymbol(")");
  return { kind: "extract", unit: of, from };
}

/** In `position(needle IN haystack)`, `IN` is a separator. */
function parsePosition(reader: TokenReader, name: string): Expression {
  reader.expectSymbol("(");
  const needle = parseSum(reader);
  reader.expectKeyword("IN");
  const haystack = parseSum(reader);
  reader.expectSymbol(")");
  return { kind: "call", name, parameters: [], arguments: [needle, haystack], distinct: false };
}

function parseCall(reader: TokenReader, name: string): Expression {
  reader.countOperator();
  const first = callArguments(reader);
  if (!reader.isSymbol("(")) return { kind: "call", name, parameters: [], ...first };
  if (first.distinct) throw reader.unexpected("no second pair of parentheses");
  return { kind: "call", name, parameters: first.arguments, ...callArguments(reader) };
}

function callArguments(reader: TokenReader): { arguments: Expression[]; distinct: boolean } {
  reader.expectSymbol("(");
  const distinct = reader.takesKeywords("DISTINCT");
  if (reader.takesSymbol(")")) return { arguments: [], distinct };
  if (reader.isSymbol("*")) throw invalidInput("unsupported function argument: *; use count() to count rows");
  const given = reader.list(() => parseExpression(reader));
  reader.expectSymbol(")");
  return { arguments: given, distinct };
}
