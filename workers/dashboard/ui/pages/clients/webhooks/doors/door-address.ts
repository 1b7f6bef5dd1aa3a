import { hooksHostname } from "#domain/names/hostnames.ts";
import type { Door } from "#workers/contracts/api/tenants/doors.ts";
import type { Viewer } from "#workers/dashboard/ui/api/session.ts";

/** Returns an address with the protocol and port of the dashboard, which the local edge shares. */
export function doorAddress(url: string): string {
  const address = new URL(url);
  return `${location.protocol}//${address.hostname}${location.port === "" ? "" : `:${location.port}`}${address.pathname}`;
}

/** Returns the address of a door, with the last characters of its key only. */
export const hintedAddress = ({ key_hint }: Door, { environment, platform_domain }: Viewer): string =>
  `${hooksHostname(environment, platform_domain)}/…${key_hint}`;
