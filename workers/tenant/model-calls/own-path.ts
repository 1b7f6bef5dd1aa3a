/** Which paths of the AI gateways' host are the tenant's own: those of a provider at its gateway, and no other gateway's. */
import type { TenantEnv } from "../env.ts";

const DECODINGS = 4;
const CLIMBS = /(?:^|[/\\])\.{1,2}(?:[/\\]|$)/;

/**
 * The provider that a path names, `compat` among them; `undefined` for every path that is not `/v1/{account}/{gateway}/{provider}/…` of
 * this tenant. The one without a provider (vendor: "Universal Endpoint") is none: its body brings headers of its own for each call.
 */
export function providerOf(
  { pathname }: URL,
  { CF_ACCOUNT_ID: account, AI_GATEWAY_ID: gateway }: Pick<TenantEnv, "CF_ACCOUNT_ID" | "AI_GATEWAY_ID">,
): string | undefined {
  const own = `/v1/${account}/${gateway}/`;
  if (!account || !gateway || !pathname.startsWith(own) || climbs(pathname)) return undefined;
  const [, provider] = /^([a-z0-9][\w.-]*)(?:\/|$)/i.exec(pathname.slice(own.length)) ?? [];
  return provider;
}

/** Whether whoever decodes a path once more would leave a directory of it. */
function climbs(path: string): boolean {
  let text = path;
  for (let times = 0; times < DECODINGS; times++) {
    if (CLIMBS.test(text)) return true;
    let decoded: string;
    try {
      decoded = decodeURIComponent(text);
    } catch {
      // A percent sign for itself, once it is decoded; malformed before.
      return times === 0;
    }
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}
