import { type Properties, UserError } from "@tenantry/plugin-host";
import type { Api } from "../../plugin/api.ts";
import { fromRecord } from "../../plugin/casing.ts";

export const scriptRecords = (api: Api, accountId: string): AsyncGenerator<Properties> =>
  api.list(`/accounts/${encodeURIComponent(accountId)}/workers/scripts`);

/** The function `getWorkersScripts`. */
export async function listScripts(api: Api, args: Properties): Promise<Properties> {
  const { accountId, maxItems = 1000, tags } = args;
  if (accountId === undefined) throw new UserError("getWorkersScripts needs an accountId.");
  if (tags !== undefined) throw new UserError("The local edge does not filter Workers by tags.");
  const results: Properties[] = [];
  for await (const script of scriptRecords(api, String(accountId))) {
    if (results.length === maxItems) break;
    results.push(fromRecord(script, {}));
  }
  return { ...args, results };
}
