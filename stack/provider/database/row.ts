import { UserError } from "@tenantry/plugin-host";
import type pg from "pg";
import { quotedTable, quoteIdentifier } from "./identifier.ts";

export type Values = Readonly<Record<string, unknown>>;
type Client = pg.Pool | pg.PoolClient;

export interface Row {
  /** Every column, in the form of `to_jsonb`. */
  columns: Record<string, unknown>;
  /** Compared columns whose value differs. */
  drifted: ReadonlySet<string>;
}

/** A table and the statements of its records. Values are always parameters. */
export class Table {
  readonly name: string;
  readonly #types: ReadonlyMap<string, string>;
  readonly generated: ReadonlySet<string>;

  private constructor(name: string, columns: readonly { name: string; type: string; generated: boolean }[]) {
    this.name = name;
    this.#types = new Map(columns.map((column) => [column.name, column.type]));
    this.generated = new Set(columns.filter((column) => column.generated).map((column) => column.name));
  }

  static async describe(client: Client, name: string): Promise<Table> {
    const found = await client.query<{ name: string; type: string; generated: boolean }>(
      `select attname as name, format_type(atttypid, atttypmod) as type, attgenerated <> '' as generated
       from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`,
      [quotedTable(name)],
    );
    if (found.rows.length === 0) throw new UserError(`The table ${name} does not exist. Run the migrations first.`);
    return new Table(name, found.rows);
  }

  /** Returns the row with `key`, compared with `expected`; undefined if it does not exist. */
  async find(client: Client, key: Values, expected: Values, lock: "for update" | "" = ""): Promise<Row | undefined> {
    const sql = new Statement(this);
    const checks = Object.entries(expected).map(
      ([column, value]) =>
        `, ${sql.comparable(column)} is distinct from ${sql.value(column, value)} as ${quoteIdentifier(`≠${column}`)}`,
    );
    const where = sql.where(key);
    const text = `select to_jsonb(t) as row${checks.join("")} from ${quotedTable(this.name)} t where ${where} ${lock}`;
    const found = await client.query<{ row: Record<string, unknown> } & Record<string, unknown>>(text, sql.parameters);
    if (found.rows.length > 1)
      throw new UserError(`The key matches ${found.rows.length} rows of ${this.name} instead of one.`);
    const [row] = found.rows;
    if (row === undefined) return undefined;
    return {
      columns: row.row,
      drifted: new Set(Object.keys(expected).filter((column) => row[`≠${column}`] === true)),
    };
  }

  async owners(client: Client, key: Values): Promise<(string | null)[]> {
    const sql = new Statement(this);
    const text = `select owner from ${quotedTable(this.name)} t where ${sql.where(key)}`;
    return (await client.query<{ owner: string | null }>(text, sql.parameters)).rows.map(({ owner }) => owner);
  }

  async insert(client: Client, values: Values): Promise<Record<string, unknown> | undefined> {
    const sql = new Statement(this);
    const columns = Object.keys(values).map(quoteIdentifier).join(", ");
    const given = Object.entries(values).map(([column, value]) => sql.value(column, value));
    const text = `insert into ${quotedTable(this.name)} as t (${columns}) values (${given.join(", ")})
      returning to_jsonb(t) as row`;
    const inserted = await client.query<{ row: Record<string, unknown> }>(text, sql.parameters);
    return inserted.rows[0]?.row;
  }

  /** Updates the row with `key`; returns false if it does not exist. */
  async update(client: Client, key: Values, values: Values): Promise<boolean> {
    const sql = new Statement(this);
    const set = Object.entries(values).map(
      ([column, value]) => `${quoteIdentifier(column)} = ${sql.value(column, value)}`,
    );
    const text = `update ${quotedTable(this.name)} t set ${set.join(", ")} where ${sql.where(key)}`;
    const updated = await client.query(text, sql.parameters);
    return updated.rowCount === 1;
  }

  async delete(client: Client, key: Values): Promise<void> {
    const sql = new Statement(this);
    await client.query(`delete from ${quotedTable(this.name)} t where ${sql.where(key)}`, sql.parameters);
  }

  has(column: string): boolean {
    return this.#types.has(column);
  }

  type(column: string): string {
    const type = this.#types.get(column);
    if (type === undefined) throw new UserError(`Table ${this.name} has no column '${column}'.`);
    return type;
  }
}

class Statement {
  readonly parameters: unknown[] = [];
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  value(column: string, value: unknown): string {
    const type = this.#table.type(column);
    this.parameters.push(encodeColumn(this.#table.name, column, type, value));
    return `$${this.parameters.length}::${type === "json" ? "jsonb" : type}`;
  }

  /** Returns a comparable expression for a column: `json` has no equality. */
  comparable(column: string): string {
    return this.#table.type(column) === "json" ? `t.${quoteIdentifier(column)}::jsonb` : `t.${quoteIdentifier(column)}`;
  }

  where(key: Values): string {
    return Object.entries(key)
      .map(([column, value]) => `${this.comparable(column)} = ${this.value(column, value)}`)
      .join(" and ");
  }
}

function encodeColumn(table: string, column: string, type: string, value: unknown): unknown {
  if (value === null) return null;
  if (type === "json" || type === "jsonb") return JSON.stringify(value);
  if (Array.isArray(value) && type.endsWith("[]")) return value;
  if (typeof value === "object")
    throw new UserError(`Column '${column}' of ${table} has the type ${type}. Set it to a scalar.`);
  return String(value);
}
