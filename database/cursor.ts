/** Cursors of lists: the place after which a page starts. */
import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import * as z from "zod";

export interface Order {
  column: string;
  direction: "asc" | "desc";
}

const place = z.tuple([z.string(), z.uuid()]);
/** A row's place in its order: the column's value as text, and the id. */
export type Place = z.infer<typeof place>;

/** A page of at most `limit` rows after a place; without one the first page. */
export interface Page {
  limit: number;
  after?: Place | undefined;
}

/** Parses a column, with a leading minus for descending order. */
export function parseOrder(sort: string): Order {
  return sort.startsWith("-") ? { column: sort.slice(1), direction: "desc" } : { column: sort, direction: "asc" };
}

export function encodeCursor(at: Place): string {
  return btoa(JSON.stringify(at)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function decodeCursor(cursor: string): Place | undefined {
  try {
    return place.safeParse(JSON.parse(atob(cursor.replaceAll("-", "+").replaceAll("_", "/")))).data;
  } catch {
    return undefined;
  }
}

/** How a list is ordered: `order` within `table`, whose column has the PostgreSQL type `type`. */
interface PageOrder {
  table: string;
  order: Order;
  type: "text" | "timestamptz";
}

/** Matches rows after a place by `(column, id)`, in the form that an index over both supports. */
export function isBehindCursor({ table, order, type, at }: PageOrder & { at: Place }): Expression<SqlBool> {
  const [value, id] = at;
  const column = sql.ref(`${table}.${order.column}`);
  const comparison = sql.raw(order.direction === "asc" ? ">" : "<");
  return sql<SqlBool>`(${column}, ${sql.ref(`${table}.id`)}) ${comparison} (${value}::${sql.raw(type)}, ${id}::uuid)`;
}

/** Orders and limits a query to a page. */
export function selectPage<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  order: PageOrder,
  { limit, after }: Page,
): SelectQueryBuilder<Tables, Table, Row> {
  const { column, direction } = order.order;
  const page = query
    .orderBy(sql.ref(`${order.table}.${column}`), direction)
    .orderBy(sql.ref(`${order.table}.id`), direction)
    .limit(limit);
  return after === undefined ? page : page.where(isBehindCursor({ ...order, at: after }));
}
