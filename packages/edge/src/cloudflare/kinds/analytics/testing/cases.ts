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

/** Calls of the operations that the cases do not come to. */
export async function otherCalls({ url, apiToken }: ApiServer): Promise<void> {
  // The SDK would send the text as JSON.
  await fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiToken}` },
    body: "SHOW TABLES",
  });
}
