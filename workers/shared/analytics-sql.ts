/**
 * Asks Analytics Engine in SQL, in a Worker or in Node.
 * Vendor: developers.cloudflare.com/analytics/analytics-engine/sql-api/
 */
import * as z from "zod";

const TIMEOUT_MS = 10_000;
/** Of an answer: a Worker has 128 MB for everything. */
const MOST_BYTES = 8 * 2 ** 20;
/** Of a refusal that an error repeats. */
const MOST_CHARACTERS = 300;

const answer = z.object({ data: z.array(z.record(z.string(), z.unknown())) });

/** What the vendor refuses for its being asked too often, or by whom it does not know; any other refusal is about the query. */
const NOT_OF_THE_QUERY = new Set([401, 403, 429]);

/** A number: those of 64 bits come as text. */
export const sqlNumber = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number),
]);

/** An instant: a `DateTime` in UTC, which comes as `YYYY-MM-DD hh:mm:ss`. */
export const sqlTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  .transform((text) => new Date(`${text.replace(" ", "T")}Z`));

/**
 * A text as a literal of a query.
 *
 * @throws Error for one with a backslash, which the vendor does not say how it reads
 */
export function sqlText(text: string): string {
  if (/[\\\0]/.test(text)) throw new Error("A text with a backslash or NUL cannot be put into a query.");
  return `'${text.replaceAll("'", "''")}'`;
}

/** A query had no answer. Its message never has the token. */
export class AnalyticsSqlError extends Error {
  override name = "AnalyticsSqlError";
  /** Of the answer that refused it; undefined where there was none. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

export interface AnalyticsSqlOptions {
  /** Without a slash at its end, such as `https://api.cloudflare.com/client/v4`. */
  apiUrl: string;
  accountId: string;
  /** With the permission "Account Analytics Read". */
  token: string;
  /** The dataset that is asked. One that no point was written to yet answers nothing, where the vendor refuses. Default: whichever, and its refusals. */
  dataset?: string;
  /** Milliseconds for a query. Default: 10 s. */
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
   * The rows that a query answers.
   *
   * @param sql without `FORMAT`; values of others' making in it by {@link sqlText} alone
   * @param row what each is, by the names of its columns
   * @param signal gives it up before its time
   * @throws AnalyticsSqlError when it is refused, not answered in time, or answered otherwise
   */
  async query<T>(sql: string, row: z.ZodType<T>, signal?: AbortSignal): Promise<T[]> {
    const [status, text] = await this.#ask(sql, signal);
    if (status >= 400 && status < 500 && !NOT_OF_THE_QUERY.has(status) && (await this.#isUnwritten(signal))) return [];
    if (status !== 200) {
      const reason = text.replaceAll(this.#token, "…").slice(0, MOST_CHARACTERS);
      throw new AnalyticsSqlError(`Analytics Engine refused a query (status ${status}): ${reason}`, status);
    }
    const parsed = z.array(row).safeParse(answer.safeParse(json(text)).data?.data);
    if (parsed.success) return parsed.data;
    // Where it is at fault, never what stands there.
    const faults = parsed.error.issues.slice(0, 3).map(({ path, code }) => `${path.join(".")} (${code})`);
    throw new AnalyticsSqlError(`Analytics Engine answered something else: ${faults.join(", ")}`, status);
  }

  /** Whether the account has no such dataset: the first point makes it. How a query of it is refused the vendor does not say. */
  async #isUnwritten(signal?: AbortSignal): Promise<boolean> {
    if (this.#dataset === undefined) return false;
    const [status, text] = await this.#ask("SHOW TABLES", signal);
    const tables = answer.safeParse(json(text)).data?.data;
    if (status !== 200 || tables === undefined) return false;
    return !tables.some((table) => Object.values(table).includes(this.#dataset));
  }

  async #ask(sql: string, signal?: AbortSignal): Promise<[status: number, text: string]> {
    const late = AbortSignal.timeout(this.#timeoutMs);
    try {
      const response = await fetch(this.#url, {
        method: "POST",
        headers: { authorization: `Bearer ${this.#token}`, "content-type": "text/plain; charset=utf-8" },
        body: sql,
        // Another host is to have no token.
        redirect: "manual",
        signal: signal === undefined ? late : AbortSignal.any([signal, late]),
      });
      return [response.status, await textOf(response)];
    } catch (error) {
      if (error instanceof AnalyticsSqlError) throw error;
      const isLate = error instanceof Error && error.name === "TimeoutError";
      throw new AnalyticsSqlError(
        isLate
          ? `Analytics Engine did not answer within ${this.#timeoutMs} ms.`
          : "Analytics Engine could not be asked.",
      );
    }
  }
}

/** @throws AnalyticsSqlError for more than fits into memory */
async function textOf(response: Response): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let [text, size] = ["", 0];
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    size += piece.value.byteLength;
    if (size > MOST_BYTES) {
      await reader.cancel();
      throw new AnalyticsSqlError("Analytics Engine answered too much: the query needs a LIMIT.", response.status);
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
