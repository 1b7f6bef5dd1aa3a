/** Service tokens of Access that belong to users of tenants. */

/** Days until a token expires. */
export const DEFAULT_TOKEN_DAYS = 90;
export const MAX_TOKEN_DAYS = 365;

/** Tokens of one client. An account has 50 unless Cloudflare raises its limit. */
export const MAX_TOKENS_OF_CLIENT = 10;

/** Name of a token at Access, which has no tags: the name identifies the platform and the tenant. @param id UUID, unique per attempt */
export const serviceTokenName = (id: string, hostname: string): string => `Tenantry token ${id} of ${hostname}`;

const NAME = /^Tenantry token [0-9a-f-]{36} of (\S+)$/;

/** Returns the host of the tenant that a token was created for; `undefined` for any other name. */
export const hostnameOfToken = (name: string): string | undefined => NAME.exec(name)?.[1];
