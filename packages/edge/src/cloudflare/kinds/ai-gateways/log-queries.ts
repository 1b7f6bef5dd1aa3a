import * as z from "zod";
import { filterKeys, type LogFilter, type Operator } from "#ai-gateway/logs/log-filter.ts";
import type { LogOrder } from "#ai-gateway/logs/log-store.ts";
import { ApiError, validateInput } from "../../api/operations.ts";

const invalid = 7001;

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const filters = z.array(
  z.object({
    key: z.enum(filterKeys),
    operator: z.enum(["eq", "neq", "contains", "lt", "gt"]),
    value: z.union([z.array(value), value.transform((one) => [one])]),
  }),
);
const order = z.enum([
  "created_at",
  "provider",
  "model",
  "success",
  "cached",
  "cost",
  "tokens_in",
  "tokens_out",
  "duration",
] satisfies LogOrder[]);
const direction = z.enum(["asc", "desc"]);

/** Legacy parameters and their filters. */
const NAMED: Readonly<Record<string, [LogFilter["key"], Operator]>> = {
  cached: ["cached", "eq"],
  success: ["success", "eq"],
  model: ["model", "eq"],
  provider: ["provider", "eq"],
  request_content_type: ["request_content_type", "eq"],
  response_content_type: ["response_content_type", "eq"],
  start_date: ["created_at", "gte"],
  end_date: ["created_at", "lte"],
  min_cost: ["cost", "gte"],
  max_cost: ["cost", "lte"],
  min_duration: ["duration", "gte"],
  max_duration: ["duration", "lte"],
  min_tokens_in: ["tokens_in", "gte"],
  max_tokens_in: ["tokens_in", "lte"],
  min_tokens_out: ["tokens_out", "gte"],
  max_tokens_out: ["tokens_out", "lte"],
  min_total_tokens: ["tokens", "gte"],
  max_total_tokens: ["tokens", "lte"],
};

export interface LogRequest {
  filters: LogFilter[];
  order: LogOrder;
  descending: boolean;
}

/** @throws ApiError 400 for an unknown filter or order */
export function logRequest(query: URLSearchParams): LogRequest {
  return {
    filters: [...listedFilters(query), ...namedFilters(query)],
    order: validateInput(query.get("order_by") ?? "created_at", order, invalid),
    descending:
      validateInput(query.get("order_by_direction") ?? query.get("direction") ?? "desc", direction, invalid) === "desc",
  };
}

/** `filters` is JSON; the SDK sends repeated parameters such as `filters.key` instead. */
function listedFilters(query: URLSearchParams): LogFilter[] {
  const json = query.get("filters");
  if (json !== null) return validateInput(parseFilters(json), filters, invalid);
  const [keys, operators, values] = ["key", "operator", "value"].map((name) => query.getAll(`filters.${name}`));
  // Several values of one filter equal one value for each of several filters.
  const single = keys?.length === 1;
  const given = keys?.map((key, at) => ({
    key,
    operator: operators?.[at],
    value: (single ? (values ?? []) : (values?.slice(at, at + 1) ?? [])).map(parseFilterValue),
  }));
  return validateInput(given ?? [], filters, invalid);
}

function namedFilters(query: URLSearchParams): LogFilter[] {
  return Object.entries(NAMED).flatMap(([name, [key, operator]]) => {
    const text = query.get(name);
    if (text === null) return [];
    return [{ key, operator, value: [key === "created_at" ? parseMoment(text) : parseFilterValue(text)] }];
  });
}

function parseMoment(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new ApiError(400, invalid, `Invalid date: ${text}`);
  return time.toISOString();
}

function parseFilterValue(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

function parseFilters(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new ApiError(400, invalid, "filters: is not valid JSON");
  }
}
