/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-reference/operators/ and …/literals/ */
import { invalid } from "../sql-error.ts";
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

export function expression(reader: TokenReader): Expression {
  return reader.nested(() => disjunction(reader));
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

const keyword = (word: "AND" | "OR") => (reader: TokenReader) => (reader.takesKeywords(word) ? word : undefined);
const symbol =
  (...known: readonly BinaryOperator[]) =>
  (reader: TokenReader) =>
    known.find((one) => reader.takesSymbol(one));

const product = leftToRight(signed, symbol("*", "/", "%"));
const sum = leftToRight(product, symbol("+", "-"));
const conjunction = leftToRight(negation, keyword("AND"));
const disjunction = leftToRight(conjunction, keyword("OR"));

function negation(reader: TokenReader): Expression {
  if (!reader.takesKeywords("NOT")) return comparison(reader);
  reader.countOperator();
  return { kind: "not", of: reader.nested(() => negation(reader)) };
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

function comparison(reader: TokenReader): Expression {
  let left = sum(reader);
  for (;;) {
    const token = reader.peek();
    const operator = token.kind === "symbol" ? COMPARISONS[token.text] : undefined;
    if (operator !== undefined) {
      reader.next();
      reader.countOperator();
      left = { kind: "binary", operator, left, right: sum(reader) };
      continue;
    }
    const tested = membership(reader, left);
    if (tested === undefined) return left;
    left = tested;
  }
}

function membership(reader: TokenReader, of: Expression): Expression | undefined {
  const isNegated =
    reader.isKeyword("NOT") && ["IN", "BETWEEN", "LIKE", "ILIKE"].some((word) => reader.isKeyword(word, 1));
  if (isNegated) reader.next();
  const found = test(reader, of);
  if (found !== undefined) reader.countOperator();
  return found !== undefined && isNegated ? { kind: "not", of: found } : found;
}

function test(reader: TokenReader, of: Expression): Expression | undefined {
  if (reader.takesKeywords("IN")) {
    reader.expectSymbol("(");
    const list = reader.list(() => expression(reader));
    reader.expectSymbol(")");
    return { kind: "in", of, list };
  }
  if (reader.takesKeywords("BETWEEN")) {
    const from = sum(reader);
    reader.expectKeyword("AND");
    return { kind: "between", of, from, to: sum(reader) };
  }
  for (const word of ["LIKE", "ILIKE"]) {
    if (reader.takesKeywords(word)) return { kind: "like", of, pattern: sum(reader), ignoresCase: word === "ILIKE" };
  }
  if (reader.isKeyword("IS")) throw invalid("unsupported expression type: IS");
  return undefined;
}

function signed(reader: TokenReader): Expression {
  if (!reader.takesSymbol("-")) return primary(reader);
  reader.countOperator();
  const of = reader.nested(() => signed(reader));
  if (of.kind === "integer" || of.kind === "double") return { ...of, value: -of.value } as Expression;
  return { kind: "negate", of };
}

function primary(reader: TokenReader): Expression {
  const token = reader.peek();
  if (token.kind === "symbol" && token.text === "(") {
    reader.next();
    if (reader.isKeyword("SELECT")) throw invalid("unsupported expression type: a query within an expression");
    const inner = expression(reader);
    reader.expectSymbol(")");
    return inner;
  }
  if (token.kind === "number") return literalNumber(reader.next().text);
  if (token.kind === "string") return { kind: "string", value: reader.next().text };
  if (token.kind === "name") return { kind: "column", name: reader.next().text };
  const isFormat = reader.isKeyword("FORMAT") && reader.isSymbol("(", 1);
  if (token.kind !== "word" || (isReserved(token.text) && !isFormat)) throw reader.unexpected("an expression:");
  return named(reader);
}

function literalNumber(text: string): Expression {
  if (!/^\d+$/.test(text)) return { kind: "double", value: Number(text) };
  const value = BigInt(text);
  if (value >= 2n ** 64n) throw invalid(`unable to parse number: ${text}`);
  return { kind: "integer", value };
}

function named(reader: TokenReader): Expression {
  const word = reader.next().text;
  const upper = word.toUpperCase();
  if (UNSUPPORTED.has(upper)) throw invalid(`unsupported expression type: ${upper}`);
  if (!reader.isSymbol("(")) {
    if (upper === "TRUE" || upper === "FALSE") return { kind: "boolean", value: upper === "TRUE" };
    if (upper === "INTERVAL") return interval(reader);
    return { kind: "column", name: word };
  }
  if (upper === "EXTRACT") return extract(reader);
  if (upper === "POSITION") return position(reader, word);
  return call(reader, word);
}

function interval(reader: TokenReader): Expression {
  const count = reader.peek();
  if (count.kind !== "string" || !/^-?\d{1,9}$/.test(count.text))
    throw reader.unexpected("a number in quotes, as in INTERVAL '1' DAY");
  reader.next();
  return { kind: "interval", count: BigInt(count.text), unit: unit(reader) };
}

function unit(reader: TokenReader): IntervalUnit {
  const text = reader.peek().text.toUpperCase();
  if (!isUnit(text)) throw reader.unexpected(`one of ${[...UNITS].join(", ")}`);
  reader.next();
  return text;
}

function extract(reader: TokenReader): Expression {
  reader.expectSymbol("(");
  const of = unit(reader);
  reader.expectKeyword("FROM");
  const from = expression(reader);
  reader.expectSymbol(")");
  return { kind: "extract", unit: of, from };
}

/** In `position(needle IN haystack)`, `IN` is a separator. */
function position(reader: TokenReader, name: string): Expression {
  reader.expectSymbol("(");
  const needle = sum(reader);
  reader.expectKeyword("IN");
  const haystack = sum(reader);
  reader.expectSymbol(")");
  return { kind: "call", name, parameters: [], arguments: [needle, haystack], distinct: false };
}

function call(reader: TokenReader, name: string): Expression {
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
  if (reader.isSymbol("*")) throw invalid("unsupported function argument: *; use count() to count rows");
  const given = reader.list(() => expression(reader));
  reader.expectSymbol(")");
  return { arguments: given, distinct };
}
