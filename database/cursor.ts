/** Cursors of lists: where the page before ended, by the values it is ordered by. */
import { type Expression, type SqlBool, sql } from "kysely";
import * as z from "zod";

/** An order: the column, which with `id` tells every row apart, and its direction. */
export interface Order {
  column: string;
  direction: "asc" | "desc";
}

const place = z.tuple([z.string(), z.uuid()]);
/** The values of a row that a page ended with: of its order's column, as text, and its id. */
export type Place = z.infer<typeof place>;

/** An order as callers write it: a column, a minus before it for the other way round. */
export function parseOrder(sort: string): Order {
  return sort.startsWith("-") ? { column: sort.slice(1), direction: "desc" } : { column: sort, direction: "asc" };
}

/** A place as callers carry it: opaque, and safe in an address. */
export function encodeCursor(at: Place): string {
  return btoa(JSON.stringify(at)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @returns undefined for what is no cursor of ours */
export function decodeCursor(cursor: string): Place | undefined {
  try {
    return place.safeParse(JSON.parse(atob(cursor.replaceAll("-", "+").replaceAll("_", "/")))).data;
  } catch {
    return undefined;
  }
}

/** Rows behind a place, by `(column, id)`, as an index over both finds them. @param type PostgreSQL's type of the column */
export function behind(o: {
  table: string;
  order: Order;
  type: "text" | "timestamptz";
  at: Place;
}): Expression<SqlBool> {
  const { table, order, type, at } = o;
  const [value, id] = at;
  const column = sql.ref(`${table}.${order.column}`);
  const comparison = sql.raw(order.direction === "asc" ? ">" : "<");
  return sql<SqlBool>`(${column}, ${sql.ref(`${table}.id`)}) ${comparison} (${value}::${sql.raw(type)}, ${id}::uuid)`;
}
