import type Cloudflare from "cloudflare";
import { type ApiServer, account_id } from "#cloudflare/api/testing/api-server.ts";
import type { Case } from "#cloudflare/api/testing/case.ts";
import { analyticsApi } from "../api.ts";

const path = `/accounts/${account_id}/analytics_engine/sql`;

const asked = (cloudflare: Cloudflare) => cloudflare.get(path, { query: { query: "SELECT 'a' AS message" } });

export const cases: Case[] = [
  {
    part: analyticsApi,
    given: [""],
    read: asked,
    expected: () => ({ data: [{ message: "a" }], rows: 1 }),
  },
];

/** Calls the operations that no case covers. */
export async function otherCalls({ url, apiToken }: ApiServer): Promise<void> {
  // The SDK would send JSON.
  await fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiToken}` },
    body: "SHOW TABLES",
  });
}
