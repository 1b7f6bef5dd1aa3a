/** The AI gateways' logs in Cloudflare's API (vendor: "List Gateway Logs"). */
import * as z from "zod";
import { fetchedJson } from "#workers/shared/fetched-json.ts";

/** Entries of a page; the API gives no more. */
const PAGE_SIZE = 50;
const GATEWAYS_A_PAGE = 100;
const TIMEOUT_MS = 10_000;

const metadata = z.record(z.string(), z.unknown());
const entry = z.object({
  id: z.string(),
  created_at: z.iso.datetime({ offset: true }),
  path: z.string(),
  provider: z.string(),
  model: z.string(),
  success: z.boolean(),
  tokens_in: z.number().nullish(),
  tokens_out: z.number().nullish(),
  cost: z.number().nullish(),
  // Declared as text; a live account was seen to answer an object.
  metadata: z
    .union([z.string().transform((text) => metadata.safeParse(parsed(text)).data), metadata])
    .nullish()
    .transform((found) => found ?? {}),
});
export type LogEntry = z.infer<typeof entry>;

const page = z.object({ result: z.array(z.unknown()) });
const gateways = z.object({ result: z.array(z.object({ id: z.string() })) });

/** The API does not answer as it should. */
export class LogsUnavailable extends Error {
  override name = "LogsUnavailable";
}

export class GatewayLogs {
  readonly #url: string;
  readonly #token: string;

  /** @param options.url base of Cloudflare's API, without a slash at its end @param options.token may read AI gateways */
  constructor({ url, accountId, token }: { url: string; accountId: string; token: string }) {
    this.#url = `${url}/accounts/${accountId}/ai-gateway/gateways`;
    this.#token = token;
  }

  /** Ids of the account's AI gateways. @throws LogsUnavailable */
  async gateways(): Promise<string[]> {
    const { result } = await this.#get(`?per_page=${GATEWAYS_A_PAGE}`, gateways);
    return result.map(({ id }) => id);
  }

  /**
   * A page of a gateway's entries that began after a time, oldest first.
   *
   * @param number of the page, from 1
   * @returns the entries that can be read, and whether it is the last page
   * @throws LogsUnavailable
   */
  async page(gateway: string, after: Date, number: number): Promise<{ entries: LogEntry[]; isLast: boolean }> {
    const query = new URLSearchParams({
      filters: JSON.stringify([{ key: "created_at", operator: "gt", value: [after.toISOString()] }]),
      order_by: "created_at",
      order_by_direction: "asc",
      per_page: String(PAGE_SIZE),
      page: String(number),
    });
    const { result } = await this.#get(`/${encodeURIComponent(gateway)}/logs?${query}`, page);
    const entries = result.flatMap((one) => entry.safeParse(one).data ?? []);
    return { entries, isLast: result.length < PAGE_SIZE };
  }

  async #get<T>(path: string, answer: z.ZodType<T>): Promise<T> {
    try {
      return await fetchedJson(`${this.#url}${path}`, answer, {
        headers: { authorization: `Bearer ${this.#token}` },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      throw new LogsUnavailable(`the AI gateways' logs cannot be read: ${(error as Error).message}`);
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
