/** The AI gateways' logs in Cloudflare's API (vendor: "List Gateway Logs"). */

import { AI_GATEWAY_LOG_PAGE } from "@tenantry/cloudflare-limits/values";
import { parsedJson } from "@tenantry/std/parsed-json";
import * as z from "zod";
import { fetchedJson } from "#workers/shared/fetched-json.ts";

const MAX_GATEWAYS = 100;
const TIMEOUT_MS = 10_000;

const metadata = z.record(z.string(), z.unknown());
const logEntry = z.object({
  id: z.string(),
  created_at: z.iso.datetime({ offset: true }),
  path: z.string(),
  provider: z.string(),
  model: z.string(),
  success: z.boolean(),
  tokens_in: z.number().nullish(),
  tokens_out: z.number().nullish(),
  cost: z.number().nullish(),
  // Documented as text; a live account returned an object.
  metadata: z
    .union([z.string().transform((text) => metadata.safeParse(parsedJson(text)).data), metadata])
    .nullish()
    .transform((value) => value ?? {}),
});
export type LogEntry = z.infer<typeof logEntry>;

const finding = z.object({
  check: z.enum(["REQUEST", "RESPONSE"]).optional().catch(undefined),
  profile: z.object({ profile_id: z.string() }).optional().catch(undefined),
});
/** The vendor documents no names of the findings' fields: unknown ones are ignored. */
const callEntry = logEntry.extend({
  duration: z.number().nullish(),
  status_code: z.number().nullish(),
  cached: z.boolean().nullish(),
  dlp_action: z.enum(["FLAG", "BLOCK"]).optional().catch(undefined),
  dlp_findings: z.array(finding).catch([]),
});
export type CallEntry = z.infer<typeof callEntry>;

export interface LogFilter {
  key: "created_at" | "metadata.key" | "metadata.value" | "model" | "success" | "dlp_action";
  operator: "eq" | "lt" | "gt";
  value: readonly (string | boolean)[];
}

const logPage = z.object({ result: z.array(z.unknown()) });
const gatewayList = z.object({ result: z.array(z.object({ id: z.string() })) });

export class GatewayLogs {
  readonly #url: string;
  readonly #token: string;

  /** @param options.url base of Cloudflare's API, without a trailing slash */
  constructor({ url, accountId, token }: { url: string; accountId: string; token: string }) {
    this.#url = `${url}/accounts/${accountId}/ai-gateway/gateways`;
    this.#token = token;
  }

  async gateways(): Promise<string[]> {
    const { result } = await this.#get(`?per_page=${MAX_GATEWAYS}`, gatewayList);
    return result.map(({ id }) => id);
  }

  /** Returns the valid entries of a page (from 1) of those that began after a time, oldest first. */
  async page(gateway: string, after: Date, number: number): Promise<{ entries: LogEntry[]; isLast: boolean }> {
    const filters: LogFilter[] = [{ key: "created_at", operator: "gt", value: [after.toISOString()] }];
    return this.#list(logEntry, gateway, { filters, direction: "asc", number });
  }

  /** Returns the valid entries of a page (from 1) that match all filters, newest first. */
  async calls(
    gateway: string,
    filters: readonly LogFilter[],
    number: number,
  ): Promise<{ entries: CallEntry[]; isLast: boolean }> {
    return this.#list(callEntry, gateway, { filters, direction: "desc", number });
  }

  async #list<T>(
    entry: z.ZodType<T>,
    gateway: string,
    { filters, direction, number }: { filters: readonly LogFilter[]; direction: "asc" | "desc"; number: number },
  ): Promise<{ entries: T[]; isLast: boolean }> {
    const query = new URLSearchParams({
      filters: JSON.stringify(filters),
      order_by: "created_at",
      order_by_direction: direction,
      per_page: String(AI_GATEWAY_LOG_PAGE),
      page: String(number),
    });
    const { result } = await this.#get(`/${encodeURIComponent(gateway)}/logs?${query}`, logPage);
    const entries = result.flatMap((item) => entry.safeParse(item).data ?? []);
    return { entries, isLast: result.length < AI_GATEWAY_LOG_PAGE };
  }

  async #get<T>(path: string, body: z.ZodType<T>): Promise<T> {
    try {
      return await fetchedJson(`${this.#url}${path}`, body, {
        headers: { authorization: `Bearer ${this.#token}` },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      throw new Error(`Failed to read the AI gateways' logs: ${(error as Error).message}`);
    }
  }
}

export const logsOf = ({
  CLOUDFLARE_API_URL: url,
  CF_ACCOUNT_ID: accountId,
  AI_GATEWAY_LOGS_TOKEN: token,
}: Record<"CLOUDFLARE_API_URL" | "CF_ACCOUNT_ID" | "AI_GATEWAY_LOGS_TOKEN", string>) =>
  new GatewayLogs({ url, accountId, token });
