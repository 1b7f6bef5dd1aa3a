import Cloudflare from "cloudflare";
import { cloudflareFault, openCloudflare } from "#automation/outside/cloudflare.ts";
import { type Checked, checkWork } from "../checked.ts";
import {
  type AccountArgs,
  type AccountKind,
  type AccountResource,
  type ResourceKind,
  resourceKinds,
} from "./account-resource.ts";
import { ACCOUNT_KINDS } from "./kinds.ts";

export type AccountResources = Readonly<Record<ResourceKind, Checked<AccountResource[]>>>;

const ANSWER_MS = 30_000;

/** @param variables of the engine @throws Error if they have no API token */
export async function accountClient(variables: Readonly<Record<string, string | undefined>>): Promise<Cloudflare> {
  const { CLOUDFLARE_API_TOKEN: apiToken, CLOUDFLARE_BASE_URL: baseURL } = variables;
  if (!apiToken) throw new Error("CLOUDFLARE_API_TOKEN is not set. Set it to a token that can read the account.");
  return openCloudflare({ apiToken, baseURL, timeout: ANSWER_MS });
}

/** Lists tenants' resources by kind: a kind that the token cannot list does not affect the others. */
export async function listAccountResources(args: AccountArgs): Promise<AccountResources> {
  const lists = resourceKinds.map(async (name) => {
    const kind = ACCOUNT_KINDS[name];
    return [
      name,
      await checkWork(
        () => kind.list(args),
        (error) => listFault(kind, error),
      ),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(lists)) as AccountResources;
}

/** Returns why the list failed, with the permission that is missing. */
export function listFault({ title, right }: Pick<AccountKind, "title" | "right">, error: unknown): string {
  const denied = error instanceof Cloudflare.PermissionDeniedError || error instanceof Cloudflare.AuthenticationError;
  return denied
    ? `permission denied: CLOUDFLARE_API_TOKEN cannot list ${title}s. Grant it ${right} (${cloudflareFault(error)})`
    : `failed to list all ${title}s: ${cloudflareFault(error)}`;
}
