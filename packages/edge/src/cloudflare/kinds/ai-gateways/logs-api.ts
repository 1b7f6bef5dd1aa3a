import { lenient, missing, undocumented } from "@tenantry/std/difference";
import type { LogEntry } from "#ai-gateway/logs/log-entry.ts";
import type { StoredBody, StoredEntry } from "#ai-gateway/logs/log-store.ts";
import { ApiError, apiPart, pageLimit, successResponse } from "../../api/operations.ts";
import { findGateway } from "./api.ts";
import { logRequest } from "./log-queries.ts";

/** Characters of a body in the details of an entry. */
const HEAD = 1_000;
/** Default and maximum of one call. */
const MOST_REMOVED = 10_000;

export const aiGatewayLogsApi = apiPart({
  title: "AI gateway logs",
  operations: {
    "GET /accounts/:account_id/ai-gateway/gateways/:gateway_id/logs": "aiGateway.logs.list",
    "DELETE /accounts/:account_id/ai-gateway/gateways/:gateway_id/logs": "aiGateway.logs.delete",
    "GET /accounts/:account_id/ai-gateway/gateways/:gateway_id/logs/:id": "aiGateway.logs.get",
    "GET /accounts/:account_id/ai-gateway/gateways/:gateway_id/logs/:id/request": "aiGateway.logs.request",
    "GET /accounts/:account_id/ai-gateway/gateways/:gateway_id/logs/:id/response": "aiGateway.logs.response",
  },
  differs: [
    missing("10,000 entries for each gateway, with the bodies of the last 1,000, up to 64,000 characters each."),
    lenient("Entries appear immediately.", "Cloudflare documents no delay.", "ai-gateway.log-list"),
    missing("Not every filter; no feedback."),
    undocumented("Names of the fields of data loss prevention."),
  ],
  handlers: ({ limits, store, gatewayLogs: logs }) => {
    const find = (gateway: string, id: string): StoredEntry => {
      const entry = logs.get(findGateway(store, gateway).id, id);
      if (entry === undefined) throw new ApiError(404, 7002, "Log not found");
      return entry;
    };
    return {
      "GET /accounts/:account_id/ai-gateway/gateways/:gateway_id/logs": ({ params, query }) => {
        const { id } = findGateway(store, params.gateway_id);
        const { filters, order, descending } = logRequest(query);
        const search = query.get("search") ?? "";
        const page = pageLimit(query, "page", 1, Number.MAX_SAFE_INTEGER);
        const limit = pageLimit(query, "per_page", 20, limits.valueOf("aiGatewayLogPage"));
        const entries = logs.list(id, { filters, search, order, descending, limit, offset: (page - 1) * limit });
        const total = logs.count(id, filters, search);
        return successResponse(entries.map(logListItem), {
          page,
          per_page: limit,
          count: entries.length,
          total_count: total,
          total_pages: Math.ceil(total / limit),
          ...(query.get("meta_info") === "true" && logs.ranges(id, filters, search)),
        });
      },
      "DELETE /accounts/:account_id/ai-gateway/gateways/:gateway_id/logs": ({ params, query }) => {
        const { id } = findGateway(store, params.gateway_id);
        logs.remove(id, { ...logRequest(query), limit: pageLimit(query, "limit", MOST_REMOVED, MOST_REMOVED) });
        // The SDK declares a response without the envelope.
        return Response.json({ success: true });
      },
      "GET /accounts/:account_id/ai-gateway/gateways/:gateway_id/logs/:id": ({ params }) => {
        const { request, response, ...entry } = find(params.gateway_id, params.id);
        return successResponse({
          ...logListItem(entry),
          ...bodyHead("request", request),
          ...bodyHead("response", response),
        });
      },
      "GET /accounts/:account_id/ai-gateway/gateways/:gateway_id/logs/:id/request": ({ params }) => {
        const { request, request_content_type: type } = find(params.gateway_id, params.id);
        return bodyResponse(request, type);
      },
      "GET /accounts/:account_id/ai-gateway/gateways/:gateway_id/logs/:id/response": ({ params }) => {
        const { response, response_content_type: type } = find(params.gateway_id, params.id);
        return bodyResponse(response, type);
      },
    };
  },
});

/** The SDK declares metadata as text, but a live account returned an object. */
function logListItem({ metadata, dlp, ...entry }: LogEntry): Record<string, unknown> {
  return {
    ...entry,
    metadata: JSON.stringify(metadata),
    // Documented without names; the first is that of the filter.
    ...(dlp && { dlp_action: dlp.action, dlp_findings: dlp.findings }),
  };
}

function bodyHead(name: "request" | "response", stored: StoredBody | undefined): Record<string, unknown> {
  if (stored === undefined) return {};
  const { text, size } = stored;
  return { [`${name}_head`]: text.slice(0, HEAD), [`${name}_head_complete`]: size <= HEAD, [`${name}_size`]: size };
}

/** Without the envelope, as the SDK expects. */
function bodyResponse(stored: StoredBody | undefined, contentType: string): Response {
  if (stored === undefined) throw new ApiError(404, 7002, "Log payload not found");
  // A truncated body is not valid JSON.
  const type = stored.size > stored.text.length || contentType === "" ? "text/plain" : contentType;
  return new Response(stored.text, { headers: { "content-type": type } });
}
