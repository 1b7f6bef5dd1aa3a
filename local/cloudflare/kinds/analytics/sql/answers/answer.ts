/**
 * Answers in the vendor's formats, which are ClickHouse's.
 * Vendor: developers.cloudflare.com/analytics/analytics-engine/sql-reference/statements/#format-clause
 */
import type { Row } from "../functions/function.ts";
import type { Format } from "../reading/syntax.ts";
import type { Table } from "../running/table.ts";
import type { SqlType } from "../values/types.ts";
import type { Value } from "../values/values.ts";
import { plainText } from "./plain-text.ts";

export interface Answer {
  contentType: string;
  body: string;
}

export function answerIn(format: Format, table: Table): Answer {
  if (format === "JSON") return { contentType: "application/json; charset=UTF-8", body: json(table) };
  const contentType =
    format === "JSONEachRow" ? "application/x-ndjson; charset=UTF-8" : "text/tab-separated-values; charset=UTF-8";
  const line = (row: Row) => (format === "JSONEachRow" ? object(row, table) : tabSeparated(row, table));
  return { contentType, body: table.rows.map((row) => `${line(row)}\n`).join("") };
}

function json(table: Table): string {
  const meta = JSON.stringify(table.columns.map(({ name, type }) => ({ name, type: type.name })));
  const data = table.rows.map((row) => object(row, table)).join(",");
  const { rows, rowsBeforeLimit } = table;
  return `{"meta":${meta},"data":[${data}],"rows":${rows.length},"rows_before_limit_at_least":${rowsBeforeLimit}}`;
}

/** Written by hand: an object would put some names before others, and keep not every one. */
function object(row: Row, { columns }: Table): string {
  const fields = columns.map(
    ({ name, type }, at) => `${JSON.stringify(name)}:${JSON.stringify(jsonValue(row[at] ?? 0n, type))}`,
  );
  return `{${fields.join(",")}}`;
}

/** Integers of 64 bits are texts, since JSON's readers would round them. */
function jsonValue(value: Value, type: SqlType): unknown {
  switch (type.kind) {
    case "Integer":
      return type.bits === 64 ? String(value) : Number(value);
    case "Double":
      return Number.isFinite(value) ? value : null;
    case "Boolean":
      return type.name === "Bool" ? value : Number(value);
    case "Array": {
      const { of } = type;
      return Array.isArray(value) ? value.map((one: Value) => jsonValue(one, of)) : [];
    }
    default:
      return plainText(value, type);
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  "\b": "\\b",
  "\f": "\\f",
  "\0": "\\0",
};

function tabSeparated(row: Row, { columns }: Table): string {
  const field = (value: Value, type: SqlType) => {
    const text = plainText(value, type);
    if (type.kind !== "String") return text;
    return [...text].map((character) => ESCAPES[character] ?? character).join("");
  };
  return columns.map(({ type }, at) => field(row[at] ?? 0n, type)).join("\t");
}
