import { getAccountApiTokenPermissionGroupsList } from "@pulumi/cloudflare/getAccountApiTokenPermissionGroupsList.js";
import * as pulumi from "@pulumi/pulumi";
import type { PlatformTokenPermissions } from "#components/platform-outputs.ts";

/** Cloudflare's names for them; ids are looked up because the vendor documents only names. */
const NAMES: Readonly<Record<keyof PlatformTokenPermissions, string>> = {
  bucketObjectWrite: "Workers R2 Storage Bucket Item Write",
  aiGatewayRun: "AI Gateway Run",
  aiGatewayRead: "AI Gateway Read",
  analyticsRead: "Account Analytics Read",
};

/**
 * Looks the permission groups up.
 *
 * @throws RunError when Cloudflare cannot be asked or does not know one
 */
export async function readTokenPermissions(accountId: string): Promise<PlatformTokenPermissions> {
  // The whole list: how a filter by name must be encoded is not said clearly enough to depend on.
  const { results } = await getAccountApiTokenPermissionGroupsList({ accountId }).catch((error: Error) => {
    const reason = error.message.replace(/^invocation of \S+ returned an error: /, "");
    throw new pulumi.RunError(`the permission groups of API tokens cannot be read: ${reason}`);
  });
  const idOf = (name: string) => {
    const group = results.find((candidate) => candidate.name === name);
    if (group !== undefined) return group.id;
    throw new pulumi.RunError(
      `the account has no permission group ${JSON.stringify(name)}; may the API token read them?`,
    );
  };
  return {
    bucketObjectWrite: idOf(NAMES.bucketObjectWrite),
    aiGatewayRun: idOf(NAMES.aiGatewayRun),
    aiGatewayRead: idOf(NAMES.aiGatewayRead),
    analyticsRead: idOf(NAMES.analyticsRead),
  };
}
