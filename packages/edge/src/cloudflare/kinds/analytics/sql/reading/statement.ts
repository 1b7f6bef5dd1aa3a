/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-reference/statements/ */
import { invalidInput } from "../sql-error.ts";
import { isReserved, parseExpression } from "./expressions.ts";
import type { Format, Select, Selected, Statement } from "./syntax.ts";
import { TokenReader } from "./token-reader.ts";

/** Limit of the live service, according to public reports. */
const MOST_CHARACTERS = 10_000;

const FORMATS: readonly Format[] = ["JSON", "JSONEachRow", "TabSeparated"];
const SHOWN = ["TABLES", "TIMEZONES", "TIMEZONE"] as const;

export function parseStatement(sql: string): Statement {
  if (sql.length > MOST_CHARACTERS) {
    throw invalidInput(`SQL was excessively long, exceeded maximum length: ${MOST_CHARACTERS}`);
  }
  const reader = new TokenReader(sql);
  const query = parseQuery(reader);
  const format = formatOf(reader);
  reader.takesSymbol(";");
  if (reader.peek().kind !== "end") throw reader.unexpected("end of statement");
  return { query, format };
}

function parseQuery(reader: TokenReader): Statement["query"] {
  if (reader.isKeyword("SELECT")) return parseSelect(reader);
  if (!reader.takesKeywords("SHOW")) throw reader.unexpected("SELECT or SHOW");
  const what = SHOWN.find((one) => reader.takesKeywords(one));
  if (what === undefined) throw reader.unexpected(`one of ${SHOWN.join(", ")}`);
  return { kind: "show", what };
}

function formatOf(reader: TokenReader): Format {
  if (!reader.takesKeywords("FORMAT")) return "JSON";
  const { text } = reader.peek();
  const format = FORMATS.find((one) => one.toLowerCase() === text.toLowerCase());
  if (format === undefined) throw invalidInput(`unsupported format: ${text}`);
  reader.next();
  return format;
}

function parseSelect(reader: TokenReader): Select {
  reader.expectKeyword("SELECT");
  if (reader.isKeyword("DISTINCT")) throw invalidInput("unsupported: SELECT DISTINCT");
  const columns = reader.takesSymbol("*") ? "*" : reader.list(() => parseSelected(reader));
  const from = reader.takesKeywords("FROM") ? parseSource(reader) : undefined;
  const where = reader.takesKeywords("WHERE") ? parseExpression(reader) : undefined;
  const groupBy = reader.takesKeywords("GROUP", "BY") ? reader.list(() => parseExpression(reader)) : [];
  const having = reader.takesKeywords("HAVING") ? parseExpression(reader) : undefined;
  const orderBy = reader.takesKeywords("ORDER", "BY") ? reader.list(() => parseOrder(reader)) : [];
  const limit = reader.takesKeywords("LIMIT") && !reader.takesKeywords("ALL") ? wholeNumber(reader) : undefined;
  const offset = reader.takesKeywords("OFFSET") ? wholeNumber(reader) : 0;
  return { kind: "select", columns, from, where, groupBy, having, orderBy, limit, offset };
}

function parseSelected(reader: TokenReader): Selected {
  return { expression: parseExpression(reader), alias: reader.takesKeywords("AS") ? parseName(reader) : undefined };
}

function parseSource(reader: TokenReader): string | Select {
  if (!reader.takesSymbol("(")) return parseName(reader);
  const inner = reader.nested(() => parseSelect(reader));
  reader.expectSymbol(")");
  return inner;
}

function parseName(reader: TokenReader): string {
  const token = reader.peek();
  if (token.kind !== "name" && (token.kind !== "word" || isReserved(token.text))) throw reader.unexpected("identifier");
  return reader.next().text;
}

function parseOrder(reader: TokenReader): Select["orderBy"][number] {
  const one = parseExpression(reader);
  const descending = reader.takesKeywords("DESC");
  if (!descending) reader.takesKeywords("ASC");
  return { expression: one, descending };
}

function wholeNumber(reader: TokenReader): number {
  const token = reader.peek();
  if (token.kind !== "number" || !/^\d{1,15}$/.test(token.text)) throw reader.unexpected("a whole number");
  return Number(reader.next().text);
}
