import type { TenantEnv } from "../env.ts";

const MAX_DECODINGS = 4;
const DOT_SEGMENT = /(?:^|[/\\])\.{1,2}(?:[/\\]|$)/;

/**
 * Returns the provider in a path `/v1/{account}/{gateway}/{provider}/…` of this tenant's AI gateway, such as `compat`; `undefined` for other
 * paths. The endpoint without a provider (vendor: "Universal Endpoint") is excluded, since its body sets headers for each call.
 */
export function providerOf(
  { pathname }: URL,
  { CF_ACCOUNT_ID: account, AI_GATEWAY_ID: gateway }: Pick<TenantEnv, "CF_ACCOUNT_ID" | "AI_GATEWAY_ID">,
): string | undefined {
  const own = `/v1/${account}/${gateway}/`;
  if (!account || !gateway || !pathname.startsWith(own) || hasDotSegment(pathname)) return undefined;
  const [, provider] = /^([a-z0-9][\w.-]*)(?:\/|$)/i.exec(pathname.slice(own.length)) ?? [];
  return provider;
}

/** Whether a path has a dot segment, also after repeated decoding. */
function hasDotSegment(path: string): boolean {
  let text = path;
  for (let times = 0; times < MAX_DECODINGS; times++) {
    if (DOT_SEGMENT.test(text)) return true;
    let decoded: string;
    try {
      decoded = decodeURIComponent(text);
    } catch {
      // A decoded path may have a literal percent sign; the original must not.
      return times === 0;
    }
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}
