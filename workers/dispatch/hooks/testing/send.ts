import { hooksHostname } from "#domain/names/hostnames.ts";
import { type DispatchUnderTest, DOMAIN } from "../../testing/start-dispatch.ts";
import type { Sent } from "./webhooks.ts";

export const HOOKS_HOST = hooksHostname("production", DOMAIN);

export interface Answer {
  status: number;
  /** Without `Date`. */
  headers: Record<string, string>;
  body: string;
}

let addresses = 0;

/** Sends a webhook to a door, each from its own network, to stay below the limit of unknown keys. */
export async function sendWebhook(
  dispatch: DispatchUnderTest,
  key: string,
  { method, path, headers, body }: Sent,
  more: Record<string, string> = {},
): Promise<Answer> {
  addresses += 1;
  const response = await dispatch.fetch(HOOKS_HOST, `/${key}${path}`, {
    method,
    headers: { "cf-connecting-ip": `2001:db8:1:${addresses.toString(16)}::1`, ...headers, ...more },
    ...(body !== undefined && { body }),
  });
  const { date: _, ...received } = Object.fromEntries(response.headers);
  return { status: response.status, headers: received, body: await response.text() };
}

let ids = 1_000;

/** Returns a new ID of an event. */
export function nextId(): string {
  ids += 1;
  return String(ids);
}
