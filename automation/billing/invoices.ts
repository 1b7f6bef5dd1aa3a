import * as z from "zod";
import { accountsSince } from "#database/billing/accounts.ts";
import { draftInvoice, InvoiceRefused, issueInvoice } from "#database/billing/invoice-issue.ts";
import type { Environment } from "#domain/environment.ts";
import { defineTask, type Task } from "../task.ts";

/** Returns the previous month, `YYYY-MM`. */
export function lastMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

/** Issues last month's invoices, also of clients that were deleted since. */
export function issueInvoicesTask(environment: Environment): Task {
  return defineTask("issue_invoices", z.unknown(), async (_payload, { db, log, signal }) => {
    const now = new Date();
    const month = lastMonth(now);
    let [issued, refused] = [0, 0];
    for (const clientId of await accountsSince(db, environment, `${month}-01`)) {
      if (signal.aborted) break;
      try {
        await db
          .transaction()
          .execute(async (tx) => issueInvoice(tx, (await draftInvoice(tx, clientId, month)).id, now));
        issued += 1;
      } catch (error) {
        if (!(error instanceof InvoiceRefused)) throw error;
        refused += 1;
      }
    }
    log("info", "invoices_issued", { month, issued, refused });
  });
}
