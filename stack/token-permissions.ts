import { getAccountApiTokenPermissionGroupsList } from "@pulumi/cloudflare/getAccountApiTokenPermissionGroupsList.js";
import * as pulumi from "@pulumi/pulumi";
import type { PlatformTokenPermissions } from "#components/platform-outputs.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { asSentence, errorLine } from "#domain/errors/catalogue-error.ts";
import { stackOutputErrors } from "#domain/errors/stack/stack-outputs.ts";

/** Cloudflare's names; the vendor does not document ids. */
const NAMES: Readonly<Record<keyof PlatformTokenPermissions, string>> = {
  bucketObjectWrite: "Workers R2 Storage Bucket Item Write",
  aiGatewayRun: "AI Gateway Run",
  aiGatewayRead: "AI Gateway Read",
  analyticsRead: "Account Analytics Read",
  serviceTokensWrite: "Access: Service Tokens Write",
};

/** Reads the ids of the permission groups. @throws RunError if Cloudflare cannot be reached or a group is missing */
export async function readTokenPermissions(accountId: string): Promise<PlatformTokenPermissions> {
  // The whole list, because the vendor does not document the encoding of the filter by name.
  const { results } = await getAccountApiTokenPermissionGroupsList({ accountId }).catch((error: Error) => {
    const reason = error.message.replace(/^invocation of \S+ returned an error: /, "");
    const values = { fault: asSentence(reason) };
    throw new pulumi.RunError(errorText(stackOutputErrors.permission_groups_unreadable, values));
  });
  const idOf = (name: string) => {
    const group = results.find((candidate) => candidate.name === name);
    if (group !== undefined) return group.id;
    throw new pulumi.RunError(errorLine(stackOutputErrors.permission_group_not_found, { name: JSON.stringify(name) }));
  };
  const entries = Object.entries(NAMES).map(([permission, name]) => [permission, idOf(name)]);
  return Object.fromEntries(entries) as Record<keyof PlatformTokenPermissions, string>;
}
