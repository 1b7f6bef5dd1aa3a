import { UserError } from "../../../../plugin-host/errors.ts";
import type { Properties } from "../../../../plugin-host/properties.ts";
import type { Api } from "../../plugin/api.ts";
import { fromRecord } from "../../plugin/casing.ts";

/** The function `getWorkersScripts`. */
export async function listScripts(api: Api, args: Properties): Promise<Properties> {
  const { accountId, maxItems = 1000, tags } = args;
  if (accountId === undefined) throw new UserError("getWorkersScripts needs an accountId.");
  if (tags !== undefined) throw new UserError("The local edge does not filter Workers by tags.");
  const results: Properties[] = [];
  for await (const script of api.list(`/accounts/${encodeURIComponent(String(accountId))}/workers/scripts`)) {
    if (results.length === maxItems) break;
    results.push(fromRecord(script, {}));
  }
  return { ...args, results };
}
