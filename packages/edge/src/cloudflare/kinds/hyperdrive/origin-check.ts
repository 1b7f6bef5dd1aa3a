import pg from "pg";
import { ApiError } from "../../api/api-error.ts";
import type { HyperdriveRecord } from "./record.ts";

/** The refused create or update names the reason: developers.cloudflare.com/hyperdrive/observability/troubleshooting/#configuration-errors */
const BY_CONNECTION: Readonly<Record<string, number>> = {
  ENOTFOUND: 2008,
  EAI_AGAIN: 2008,
  EHOSTUNREACH: 2010,
  ENETUNREACH: 2010,
  ETIMEDOUT: 2010,
  ECONNREFUSED: 2011,
};
/** By SQLSTATE. */
const BY_DATABASE: Readonly<Record<string, number>> = { "28000": 2013, "28P01": 2013, "3D000": 2014 };
const GENERIC = 2015;
const TEST_QUERY_FAILED = 2016;
/** Documented as the time to connect (developers.cloudflare.com/hyperdrive/platform/limits/). */
const CONNECT_TIMEOUT_MS = 15_000;

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? "");

/** Connects to a database, and sends an empty query as Cloudflare does. @throws ApiError 400 */
export async function checkOrigin({ port = 5432, ...origin }: HyperdriveRecord["origin"]): Promise<void> {
  const client = new pg.Client({ ...origin, port, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // The failed call reports it.
  client.on("error", () => undefined);
  try {
    await client.connect().catch((error: unknown) => {
      const code = codeOf(error);
      throw refusal(BY_CONNECTION[code] ?? BY_DATABASE[code] ?? GENERIC, error);
    });
    await client.query(";").catch((error: unknown) => {
      throw refusal(TEST_QUERY_FAILED, error);
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @param error of the driver; its text has no password */
function refusal(code: number, error: unknown): ApiError {
  const reason = error instanceof Error && error.message !== "" ? error.message : codeOf(error);
  return new ApiError(400, code, `Failed to connect to the provided database: ${reason}`);
}
