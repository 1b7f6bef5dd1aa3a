import * as z from "zod";
import type { Operation } from "./case.ts";
import { checkShape, checkThat } from "./checks.ts";
import type { Client } from "./run/client.ts";
import type { Scope } from "./run/scope.ts";

const page = z.looseObject({ result_info: z.looseObject({ total_count: z.number().int().nonnegative() }) });
/** Of the automation service (`automation/capacity/account.ts`). */
const PER_PAGE = 5;

/** A list returns the number of all resources, by which the automation service counts an account's capacity. */
export function countedList(
  operation: Operation,
  source: string,
  title: string,
  create: (client: Client, scope: Scope) => Promise<unknown>,
) {
  return {
    operations: [operation],
    reliesOn: `The list of ${title} accepts per_page=${PER_PAGE}, and its result_info has the total_count of all pages.`,
    source,
    async run(client: Client, scope: Scope): Promise<void> {
      const path = operation.replace("GET ", "").replace(":account_id", scope.account_id);
      const count = async () => {
        const { body } = await client.request("GET", `${path}?per_page=${PER_PAGE}`);
        return checkShape(`The list of ${title}`, body, page).result_info.total_count;
      };
      await create(client, scope);
      // Others may change the account meanwhile, so only the lower bound is certain.
      checkThat(`the total_count of ${title} includes a new one`, (await count()) >= 1);
    },
  };
}
