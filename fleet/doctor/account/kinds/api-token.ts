/** API tokens of the account that tenants hold: by their name, with the one right that such a token has and no other. */
import * as z from "zod";
import { gone } from "../gone.ts";
import type { AccountArgs, AccountKind, Thing } from "../thing.ts";

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

function thing({ tenants, platform }: AccountArgs, found: unknown): Thing[] {
  const { id, name = "", issued_on: createdAt = null, policies } = token.parse(found);
  const { aiGatewayRun, bucketObjectWrite } = platform.permissions;
  for (const [which, permission] of [
    ["aiGatewayToken", aiGatewayRun],
    ["secondAiGatewayToken", aiGatewayRun],
    ["backupToken", bucketObjectWrite],
    ["secondBackupToken", bucketObjectWrite],
  ] as const) {
    const tenant = tenants.of(which, name);
    const [policy, ...others] = policies;
    const rights = policy?.permission_groups.map((group) => group.id);
    if (id === undefined || tenant === undefined || others.length > 0 || policy?.effect !== "allow") continue;
    if (rights?.length !== 1 || rights[0] !== permission) continue;
    return [{ kind: "api_token", id, identity: id, name, tenant, createdAt }];
  }
  return [];
}

export const apiTokens: AccountKind = {
  kind: "api_token",
  title: "API token",
  right: "Account API Tokens (Read)",
  async list(args) {
    const { client, platform } = args;
    const things: Thing[] = [];
    for await (const one of client.accounts.tokens.list({ account_id: platform.accountId }))
      things.push(...thing(args, one));
    return things;
  },
  async find(args, { id }) {
    const { client, platform } = args;
    const found = await gone(client.accounts.tokens.get(id, { account_id: platform.accountId }));
    return found === undefined ? undefined : thing(args, found)[0];
  },
  async remove({ client, platform }, { id }) {
    await client.accounts.tokens.delete(id, { account_id: platform.accountId });
  },
};

/** What an API token may still be used for. */
export interface TokenState {
  id: string;
  name: string;
  /** The vendor's word: `active`, `disabled` or `expired`. */
  status: string;
  expiresOn: string | null;
}

/** Every token of the account, whosever it is. @throws Error of the SDK */
export async function tokenStates({
  client,
  platform,
}: Pick<AccountArgs, "client" | "platform">): Promise<TokenState[]> {
  const states: TokenState[] = [];
  for await (const one of client.accounts.tokens.list({ account_id: platform.accountId })) {
    const { id, name = "", status = "", expires_on } = token.parse(one);
    if (id !== undefined) states.push({ id, name, status, expiresOn: expires_on ?? null });
  }
  return states;
}
