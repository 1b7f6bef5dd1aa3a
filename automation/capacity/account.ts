import * as z from "zod";
import type { AccountKind } from "#domain/plans/account-limits.ts";
import { type Capacity, containerUse } from "#domain/plans/capacity.ts";
import { instanceTypes } from "#domain/tenants/instance-type.ts";
import { callJson } from "../outside/call.ts";

export const LISTS: Readonly<Record<AccountKind, string>> = {
  accessApplications: "access/apps",
  accessGroups: "access/groups",
  accessPolicies: "access/policies",
  apiTokens: "tokens",
  aiGateways: "ai-gateway/gateways",
};
/** Smallest size that all lists accept. */
const PER_PAGE = 5;

const page = z.object({ result_info: z.object({ total_count: z.number().int().nonnegative() }) });
const applications = z.object({
  result: z.array(
    z.object({
      max_instances: z.number().nullish(),
      configuration: z.object({ instance_type: z.enum(instanceTypes).nullish().catch(null) }).prefault({}),
    }),
  ),
});

export interface AccountOptions {
  apiUrl: string;
  apiToken: string;
  accountId: string;
}

/** Counts the account's resources. @throws TaskError if the API refuses or cannot be reached */
export async function countAccount(options: AccountOptions, signal: AbortSignal): Promise<Capacity> {
  const get = <T>(schema: z.ZodType<T>, path: string): Promise<T> => {
    const url = `${options.apiUrl}/accounts/${options.accountId}/${path}`;
    return callJson(schema, { url, token: options.apiToken, name: "Cloudflare's API" }, signal);
  };
  const count = async (kind: AccountKind) =>
    (await get(page, `${LISTS[kind]}?per_page=${PER_PAGE}`)).result_info.total_count;
  const [accessApplications, accessGroups, accessPolicies, apiTokens, aiGateways, containers] = await Promise.all([
    count("accessApplications"),
    count("accessGroups"),
    count("accessPolicies"),
    count("apiTokens"),
    count("aiGateways"),
    get(applications, "containers/applications").then(({ result }) => result),
  ]);
  const declared = containers.map(({ max_instances, configuration }) => ({
    // Cloudflare's default.
    type: configuration.instance_type ?? "lite",
    most: max_instances ?? 0,
  }));
  return { accessApplications, accessGroups, accessPolicies, apiTokens, aiGateways, ...containerUse(declared) };
}
