import Cloudflare from "cloudflare";
import { cloudflareFault, openCloudflare } from "#automation/outside/cloudflare.ts";
import { CatalogueError, errorLine } from "#domain/errors/catalogue-error.ts";
import { fleetRunErrors } from "#domain/errors/commands/fleet-runs.ts";
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
  if (!apiToken) throw new CatalogueError(fleetRunErrors.doctor_token_not_set);
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
export function listFault({ title: kind, right }: Pick<AccountKind, "title" | "right">, error: unknown): string {
  const denied = error instanceof Cloudflare.PermissionDeniedError || error instanceof Cloudflare.AuthenticationError;
  const fault = cloudflareFault(error);
  return denied
    ? errorLine(fleetRunErrors.doctor_list_denied, { kind, permission: right, fault })
    : errorLine(fleetRunErrors.doctor_list_failed, { kind, fault });
}
