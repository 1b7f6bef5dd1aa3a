/** Whose a row is: in tables that have the column, the URN of the resource that has it. */
import type pg from "pg";
import { type Claim, refuseForeign } from "../ownership.ts";
import type { Row, Table, Values } from "./row.ts";

export const OWNER = "owner";

export interface RowClaim extends Claim {
  key: Values;
  /** Columns to compare with. Default: none. */
  values?: Values;
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
  claim: RowClaim,
  before?: string,
): Promise<Row | undefined> {
  const { key, values = {} } = claim;
  const row = await table.find(client, key, values, "for update");
  const found = row?.columns[OWNER];
  const named = Object.values(key).join(" ");
  const live = { what: `The row of ${table.name} for ${named}`, name: named };
  refuseForeign(claim, { ...live, owner: typeof found === "string" ? found : undefined }, before);
  return row;
}

/** What is written to say whose the row is. @param owner a URN; nobody's when empty */
export const mark = (table: Table, owner: string): Values => (table.has(OWNER) && owner ? { [OWNER]: owner } : {});

const MANAGER = "managed_by";
/** What a stack of Git's declares of rows that the dashboard may manage instead. */
export const AS_GIT: Values = { [MANAGER]: "git" };

/** Whether the dashboard has been given a row that was declared as Git's, so that no stack may remove it any more. @param declared columns */
export const isHandedOver = (row: Row | undefined, declared: Values): boolean =>
  declared[MANAGER] === AS_GIT[MANAGER] && row?.columns[MANAGER] === "dashboard";
