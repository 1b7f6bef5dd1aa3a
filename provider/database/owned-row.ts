/** Whose a row is: in tables that have the column, the URN of the resource that has it. */
import type pg from "pg";
import { foreignOwner, isForeign } from "../../domain/owner.ts";
import { UserError } from "../host/errors.ts";
import type { Row, Table, Values } from "./row.ts";

export const OWNER = "owner";

export interface Claim {
  key: Values;
  /** Columns to compare with. Default: none. */
  values?: Values;
  /** URN of the resource that is to have the row. */
  owner: string;
  /** Whether another stack's row may be had. Default: no. */
  takeOver?: boolean;
}

/**
 * Locks the row for a change; undefined when there is none.
 *
 * @param before an owner that may have handed the row over, as the state tells
 * @throws UserError when the row is another stack's
 */
export async function ownRow(
  client: pg.PoolClient,
  table: Table,
  { key, values = {}, owner, takeOver = false }: Claim,
  before?: string,
): Promise<Row | undefined> {
  const row = await table.find(client, key, values, "for update");
  const found = row?.columns[OWNER];
  const isOthers = typeof found === "string" && table.has(OWNER) && isForeign(found, owner);
  if (isOthers && !takeOver && (!before || isForeign(found, before))) {
    const named = Object.values(key).join(" ");
    throw new UserError(foreignOwner(`The row of ${table.name} for ${named}`, found, named));
  }
  return row;
}

/** What is written to say whose the row is. @param owner a URN; nobody's when empty */
export const mark = (table: Table, owner: string): Values => (table.has(OWNER) && owner ? { [OWNER]: owner } : {});
