/** Client of Analytics Engine's SQL API (developers.cloudflare.com/analytics/analytics-engine/sql-api/), for Workers and Node.js. */
import * as z from "zod";

const TIMEOUT_MS = 10_000;
/** A Worker has 128 MB. */
const MAX_RESPONSE_BYTES = 8 * 2 ** 20;
const MAX_REASON_LENGTH = 300;

const answer = z.object({ data: z.array(z.record(z.string(), z.unknown())) });

/** Other statuses concern the query. */
const AUTH_OR_RATE_STATUSES = new Set([401, 403, 429]);

/** 64-bit numbers arrive as text. */
export const sqlNumber = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number),
]);

export const sqlTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  .transform((text) => new Date(`${text.replace(" ", "T")}Z`));

/** Quotes a string for a query. @throws Error for a backslash, whose meaning the vendor does not document */
export function sqlText(text: string): string {
  if (/[\\\0]/.test(text)) throw new Error("A string in a query must not have a backslash or NUL.");
  return `'${text.replaceAll("'", "''")}'`;
}

/** Its message never has the token. */
export class AnalyticsSqlError extends Error {
  override name = "AnalyticsSqlError";
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

export interface AnalyticsSqlOptions {
  /** Without a trailing slash, such as `https://api.cloudflare.com/client/v4`. */
  apiUrl: string;
  accountId: string;
  /** Requires the permission "Account Analytics Read". */
  token: string;
  /** If it does not exist yet, a query returns no rows instead of an error. */
  dataset?: string;
  timeoutMs?: number;
}

export class AnalyticsSql {
  readonly #url: string;
  readonly #token: string;
  readonly #dataset: string | undefined;
  readonly #timeoutMs: number;

  constructor({ apiUrl, accountId, token, dataset, timeoutMs = TIMEOUT_MS }: AnalyticsSqlOptions) {
    this.#dataset = dataset;
    this.#url = `${apiUrl}/accounts/${encodeURIComponent(accountId)}/analytics_engine/sql`;
    this.#token = token;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Returns the rows of a query.
   *
   * @param sql without `FORMAT`; quote untrusted values with {@link sqlText}
   * @throws AnalyticsSqlError when the query is refused, times out or returns other rows
   */
  async query<T>(sql: string, row: z.ZodType<T>, signal?: AbortSignal): Promise<T[]> {
    const [status, text] = await this.#post(sql, signal);
    if (status >= 400 && status < 500 && !AUTH_OR_RATE_STATUSES.has(status) && (await this.#isDatasetMissing(signal)))
      return [];
    if (status !== 200) {
      const reason = text.replaceAll(this.#token, "…").slice(0, MAX_REASON_LENGTH);
      throw new AnalyticsSqlError(`Analytics Engine refused a query (status ${status}): ${reason}`, status);
    }
    const parsed = z.array(row).safeParse(answer.safeParse(json(text)).data?.data);
    if (parsed.success) return parsed.data;
    // Positions only, no values.
    const faults = parsed.error.issues.slice(0, 3).map(({ path, code }) => `${path.join(".")} (${code})`);
    throw new AnalyticsSqlError(`Analytics Engine returned unexpected rows: ${faults.join(", ")}`, status);
  }

  /** The first point creates a dataset. The vendor does not document the error of an earlier query. */
  async #isDatasetMissing(signal?: AbortSignal): Promise<boolean> {
    if (this.#dataset === undefined) return false;
    const [status, text] = await this.#post("SHOW TABLES", signal);
    const tables = answer.safeParse(json(text)).data?.data;
    if (status !== 200 || tables === undefined) return false;
    return !tables.some((table) => Object.values(table).includes(this.#dataset));
  }

  async #post(sql: string, signal?: AbortSignal): Promise<[status: number, text: string]> {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    try {
      const response = await fetch(this.#url, {
        method: "POST",
        headers: { authorization: `Bearer ${this.#token}`, "content-type": "text/plain; charset=utf-8" },
        body: sql,
        // Another host must not receive the token.
        redirect: "manual",
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      return [response.status, await textOf(response)];
    } catch (error) {
      if (error instanceof AnalyticsSqlError) throw error;
      const timedOut = error instanceof Error && error.name === "TimeoutError";
      throw new AnalyticsSqlError(
        timedOut
          ? `Analytics Engine did not respond within ${this.#timeoutMs} ms.`
          : "Failed to reach Analytics Engine.",
      );
    }
  }
}

async function textOf(response: Response): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let [text, size] = ["", 0];
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    size += piece.value.byteLength;
    if (size > MAX_RESPONSE_BYTES) {
      await reader.cancel();
      throw new AnalyticsSqlError(
        "Analytics Engine returned too many rows. Add a LIMIT to the query.",
        response.status,
      );
    }
    text += decoder.decode(piece.value, { stream: true });
  }
  return text + decoder.decode();
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
