/** The platform's order that reads one tenant's calls of models. */
import { trafficErrors } from "#domain/errors/tenants/traffic.ts";
import { type CallPage, callQuery } from "#workers/contracts/api/model-call-log.ts";
import { logsOf } from "../ai-usage/gateway-logs.ts";
import type { Settings } from "../env.ts";
import { refusal } from "../refusal.ts";
import { listCalls } from "./call-list.ts";

/** @throws Refusal when the query is invalid or the log cannot be read */
export async function readCalls(request: Request, settings: Settings): Promise<Response> {
  const query = callQuery.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!query.success) throw refusal(trafficErrors.dispatch_call_query_invalid);
  const { ENVIRONMENT: environment } = settings;
  let page: CallPage;
  try {
    page = await listCalls({ ...query.data, environment, logs: logsOf(settings), now: Date.now() });
  } catch (cause) {
    throw refusal(trafficErrors.call_log_not_readable, {}, { cause });
  }
  return Response.json(page, { headers: { "cache-control": "no-store" } });
}
