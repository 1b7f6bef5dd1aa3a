/** What a request is addressed to: `…/v1/{account}/{gateway}/{provider}/…`, as at gateway.ai.cloudflare.com. */
export interface GatewayAddress {
  account: string;
  gateway: string;
  provider: string;
  /** Path at the provider, with its leading slash; empty where there is none. */
  endpoint: string;
  /** With its question mark; empty where there is none. */
  query: string;
}

const PATTERN = /^(?:\/ai-gateway)?\/v1\/([^/]+)\/([^/]+)\/([^/]+)(\/.*)?$/;

/** @returns nothing when the path names no gateway and provider */
export function gatewayAddress({ pathname, search }: URL): GatewayAddress | undefined {
  const [, account, gateway, provider, endpoint = ""] = PATTERN.exec(pathname) ?? [];
  if (account === undefined || gateway === undefined || provider === undefined) return undefined;
  return { account, gateway, provider, endpoint, query: search };
}
