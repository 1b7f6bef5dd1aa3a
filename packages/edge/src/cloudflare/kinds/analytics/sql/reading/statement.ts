/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-reference/statements/ */
import { invalid } from "../sql-error.ts";
import { expression, isReserved } from "./expressions.ts";
import type { Format, Select, Selected, Statement } from "./syntax.ts";
import { TokenReader } from "./token-reader.ts";

/** Limit of the live service, according to public reports. */
const MOST_CHARACTERS = 10_000;

const FORMATS: readonly Format[] = ["JSON", "JSONEachRow", "TabSeparated"];
const SHOWN = ["TABLES", "TIMEZONES", "TIMEZONE"] as const;

export function parseStatement(sql: string): Statement {
  if (sql.length > MOST_CHARACTERS) {
    throw invalid(`SQL was excessively long, exceeded maximum length: ${MOST_CHARACTERS}`);
  }
  const reader = new TokenReader(sql);
  const query = statement(reader);
  const format = formatOf(reader);
  reader.takesSymbol(";");
  if (reader.peek().kind !== "end") throw reader.unexpected("end of statement");
  return { query, format };
}

function statement(reader: TokenReader): Statement["query"] {
  if (reader.isKeyword("SELECT")) return select(reader);
  if (!reader.takesKeywords("SHOW")) throw reader.unexpected("SELECT or SHOW");
  const what = SHOWN.find((one) => reader.takesKeywords(one));
  if (what === undefined) throw reader.unexpected(`one of ${SHOWN.join(", ")}`);
  return { kind: "show", what };
}

function formatOf(reader: TokenReader): Format {
  if (!reader.takesKeywords("FORMAT")) return "JSON";
  const { text } = reader.peek();
  const format = FORMATS.find((one) => one.toLowerCase() === text.toLowerCase());
  if (format === undefined) throw invalid(`unsupported format: ${text}`);
  reader.next();
  return format;
}

function select(reader: TokenReader): Select {
  reader.expectKeyword("SELECT");
  if (reader.isKeyword("DISTINCT")) throw invalid("unsupported: SELECT DISTINCT");
  const columns = reader.takesSymbol("*") ? "*" : reader.list(() => selected(reader));
  const from = reader.takesKeywords("FROM") ? source(reader) : undefined;
  const where = reader.takesKeywords("WHERE") ? expression(reader) : undefined;
  const groupBy = reader.takesKeywords("GROUP", "BY") ? reader.list(() => expression(reader)) : [];
  const having = reader.takesKeywords("HAVING") ? expression(reader) : undefined;
  const orderBy = reader.takesKeywords("ORDER", "BY") ? reader.list(() => ordered(reader)) : [];
  const limit = reader.takesKeywords("LIMIT") && !reader.takesKeywords("ALL") ? wholeNumber(reader) : undefined;
  const offset = reader.takesKeywords("OFFSET") ? wholeNumber(reader) : 0;
  return { kind: "select", columns, from, where, groupBy, having, orderBy, limit, offset };
}

function selected(reader: TokenReader): Selected {
  return { expression: expression(reader), alias: reader.takesKeywords("AS") ? name(reader) : undefined };
}

function source(reader: TokenReader): string | Select {
  if (!reader.takesSymbol("(")) return name(reader);
  const inner = reader.nested(() => select(reader));
  reader.expectSymbol(")");
  return inner;
}

function name(reader: TokenReader): string {
  const token = reader.peek();
  if (token.kind !== "name" && (token.kind !== "word" || isReserved(token.text))) throw reader.unexpected("identifier");
  return reader.next().text;
}

function ordered(reader: TokenReader): Select["orderBy"][number] {
  const one = expression(reader);
  const descending = reader.takesKeywords("DESC");
  if (!descending) reader.takesKeywords("ASC");
  return { expression: one, descending };
}

function wholeNumber(reader: TokenReader): number {
  const token = reader.peek();
  if (token.kind !== "number" || !/^\d{1,15}$/.test(token.text)) throw reader.unexpected("a whole number");
  return Number(reader.next().text);
}
