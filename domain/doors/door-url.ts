import type { Environment } from "../environment.ts";
import { hooksHostname } from "../names/hostnames.ts";

/** Returns the address of a door, which vendors call. @param platformUrl an address of the platform, whose scheme and port all hosts share */
export function doorUrl(key: string, environment: Environment, domain: string, platformUrl: string): string {
  const { protocol, port } = new URL(platformUrl);
  return `${protocol}//${hooksHostname(environment, domain)}${port === "" ? "" : `:${port}`}/${key}`;
}
