/** Cloudflare uses formats of ClickHouse: developers.cloudflare.com/analytics/analytics-engine/sql-reference/statements/#format-clause */
import type { Budget } from "../budget.ts";
import type { Row } from "../functions/function.ts";
import type { Format } from "../reading/syntax.ts";
import type { Table } from "../running/source.ts";
import type { SqlType } from "../values/types.ts";
import type { Value } from "../values/values.ts";
import { plainText } from "./plain-text.ts";

export interface Answer {
  contentType: string;
  body: string;
}

const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  JSON: "application/json; charset=UTF-8",
  JSONEachRow: "application/x-ndjson; charset=UTF-8",
  TabSeparated: "text/tab-separated-values; charset=UTF-8",
};

export async function formatTable(format: Format, table: Table, budget: Budget): Promise<Answer> {
  const rows: string[] = [];
  for (const row of table.rows) {
    if (budget.isTurnOver()) await budget.rest();
    rows.push(format === "TabSeparated" ? tabSeparated(row, table) : jsonRow(row, table));
  }
  const body = format === "JSON" ? jsonAnswer(rows, table) : rows.map((row) => `${row}\n`).join("");
  return { contentType: CONTENT_TYPES[format], body };
}

function jsonAnswer(rows: readonly string[], { columns, rowsBeforeLimit }: Table): string {
  const meta = JSON.stringify(columns.map(({ name, type }) => ({ name, type: type.name })));
  return `{"meta":${meta},"data":[${rows.join(",")}],"rows":${rows.length},"rows_before_limit_at_least":${rowsBeforeLimit}}`;
}

/** An object would reorder numeric names and drop duplicates. */
function jsonRow(row: Row, { columns }: Table): string {
  const fields = columns.map(
    ({ name, type }, at) => `${JSON.stringify(name)}:${JSON.stringify(jsonValue(row[at] ?? 0n, type))}`,
  );
  return `{${fields.join(",")}}`;
}

/** 64-bit integers are strings, because JSON parsers would round them. */
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
