import pg from "pg";
import { expect, test } from "vitest";
import { isSlotTaken } from "#automation/engine/run/fault.ts";
import { databaseWording } from "#stack/provider/database/wording.ts";

test("recognizes a run that the database refused for lack of capacity, and plans again", () => {
  const refusal = (message: string) =>
    Object.assign(new pg.DatabaseError(message, 0, "error"), { code: "TN008", severity: "ERROR" });
  const worded = (message: string) => new Error(databaseWording(refusal(message))?.message);
  expect(isSlotTaken(worded("no_account_capacity: all 4 Access groups are taken; plan again"))).toBe(true);
  expect(isSlotTaken(worded("no_ai_gateway_capacity: pool-a is full; plan again"))).toBe(true);
  expect(isSlotTaken(worded("managed_by_git: acme is declared in Git"))).toBe(false);
});
