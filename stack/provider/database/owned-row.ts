/** Owner of a row: in tables with the column `owner`, the URN of the resource. */
import type pg from "pg";
import { type Claim, refuseForeign } from "../ownership.ts";
import type { Row, Table, Values } from "./row.ts";

export const OWNER = "owner";

export interface RowClaim extends Claim {
  key: Values;
  values?: Values;
}

/**
 * Locks a row for a change; returns undefined if it does not exist.
 * @param before the owner in the state, which may have handed the row over
 * @throws UserError if another stack owns the row
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

/** Returns the columns that store the owner. @param owner a URN; empty for none */
export const ownerMark = (table: Table, owner: string): Values => (table.has(OWNER) && owner ? { [OWNER]: owner } : {});

const MANAGER = "managed_by";
/** Marks rows of Git's stacks, which the dashboard can take over. */
export const AS_GIT: Values = { [MANAGER]: "git" };

/** Whether a row that was declared in Git now belongs to the dashboard, so that no stack may delete it. @param declared columns */
export const isHandedOver = (row: Row | undefined, declared: Values): boolean =>
  declared[MANAGER] === AS_GIT[MANAGER] && row?.columns[MANAGER] === "dashboard";
