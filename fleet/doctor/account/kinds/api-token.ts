/** API tokens of tenants, by name and by the single permission that such a token has. */
import * as z from "zod";
import { type AccountArgs, accountKind } from "../account-resource.ts";

const token = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  status: z.string().optional(),
  issued_on: z.string().nullish(),
  expires_on: z.string().nullish(),
  policies: z
    .array(z.object({ effect: z.string(), permission_groups: z.array(z.object({ id: z.string() })) }))
    .catch([])
    .default([]),
});

export const apiTokens = accountKind("api_token", {
  title: "API token",
  right: "Account API Tokens (Read)",
  list: ({ client, account }) => client.accounts.tokens.list(account),
  get: ({ client, account }, id) => client.accounts.tokens.get(id, account),
  remove: ({ client, account }, id) => client.accounts.tokens.delete(id, account),
  parse({ tenants, platform }, record) {
    const { id, name = "", issued_on: createdAt = null, policies } = token.parse(record);
    const [policy, ...others] = policies;
    if (id === undefined || others.length > 0 || policy?.effect !== "allow") return undefined;
    const [right, ...otherRights] = policy.permission_groups.map((group) => group.id);
    if (right === undefined || otherRights.length > 0) return undefined;
    const { aiGatewayRun, bucketObjectWrite } = platform.permissions;
    for (const [which, permission] of [
      ["aiGatewayToken", aiGatewayRun],
      ["secondAiGatewayToken", aiGatewayRun],
      ["backupToken", bucketObjectWrite],
      ["secondBackupToken", bucketObjectWrite],
    ] as const) {
      const tenant = tenants.of(which, name);
      if (tenant !== undefined && right === permission) return { id, name, tenant, createdAt };
    }
    return undefined;
  },
});

export interface TokenState {
  id: string;
  name: string;
  /** Cloudflare's term: `active`, `disabled` or `expired`. */
  status: string;
  expiresOn: string | null;
}

/** Lists every token of the account. @throws Error of the SDK */
export async function tokenStates({
  client,
  platform,
}: Pick<AccountArgs, "client" | "platform">): Promise<TokenState[]> {
  const states: TokenState[] = [];
  for await (const listed of client.accounts.tokens.list({ account_id: platform.accountId })) {
    const { id, name = "", status = "", expires_on } = token.parse(listed);
    if (id !== undefined) states.push({ id, name, status, expiresOn: expires_on ?? null });
  }
  return states;
}
