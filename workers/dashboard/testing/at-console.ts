/** Requests of a tenant's users about its instance, below the console. */
import { consoleApi } from "#domain/access/access-addresses.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { consoleLogin } from "./console-login.ts";
import type { DashboardUnderTest } from "./start-dashboard.ts";

interface Sent {
  /** Part of the address `{who}@{slug}.test`. Default: `ada` */
  who?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** @param path below that of the instance */
export async function sendAtConsole(
  api: Pick<DashboardUnderTest, "fetch">,
  { slug, instance }: { slug: string; instance: string },
  [method, path]: readonly [method: string, path: string],
  { who = "ada", body, headers = {} }: Sent = {},
): Promise<{ status: number; text: string }> {
  const response = await api.fetch(`${consoleApi(slug)}/api/instances/${instance}/${path}`, {
    method,
    headers: {
      ...(await consoleLogin(slug, `${who}@${slug}.test`)),
      ...{ "content-type": "application/json", ...headers },
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

export const reasonOf = ({
  status,
  text,
}: {
  status: number;
  text: string;
}): [status: number, reason: string | undefined] => [status, errorBody.parse(JSON.parse(text)).error.reason];
