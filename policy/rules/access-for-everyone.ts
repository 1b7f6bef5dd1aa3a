import type { ResourceValidationPolicy } from "@pulumi/policy";
import { LATER } from "../known.ts";
import {
  ACCESS_APPLICATION,
  ACCESS_GROUP,
  ACCESS_POLICY,
  type AccessPolicy,
  readAccessApplication,
  readAccessGroup,
  readAccessPolicy,
} from "../resources.ts";

/** Policy of a platform's public paths (`components/platform.ts`). */
const PUBLIC_POLICY = `::tenantry:components:Platform$${ACCESS_POLICY}::public`;

/** Only the platform's policy for public paths may allow everyone. The rule `group-only-access` checks where that policy applies. */
export const accessForEveryone: ResourceValidationPolicy = {
  name: "access-for-everyone",
  description: "No Access policy or group allows everyone, except the platform's policy for public paths.",
  enforcementLevel: "mandatory",
  validateResource: (resource, report) => {
    if (resource.type === ACCESS_GROUP) {
      if (hasEveryone(readAccessGroup(resource).includes))
        report(`The Access group ${resource.name} includes everyone.`);
    }
    if (resource.type === ACCESS_POLICY && !isPublicPolicy(resource.urn)) {
      const way = publicPassage(readAccessPolicy(resource));
      if (way !== undefined) report(`The Access policy ${resource.name} ${way}. Allow a group instead.`);
    }
    if (resource.type === ACCESS_APPLICATION) {
      const { policies } = readAccessApplication(resource);
      for (const policy of policies === LATER ? [] : policies) {
        const way = policy === LATER ? undefined : publicPassage(policy);
        if (way !== undefined)
          report(`The Access application ${resource.name} has a policy that ${way}. Allow a group instead.`);
      }
    }
  },
};

export const isPublicPolicy = (urn: string): boolean => urn.endsWith(PUBLIC_POLICY);

function publicPassage({ decision, includes }: AccessPolicy): string | undefined {
  if (decision === "bypass") return "bypasses the login";
  return hasEveryone(includes) ? "allows everyone" : undefined;
}

function hasEveryone(includes: AccessPolicy["includes"]): boolean {
  return includes !== LATER && includes.some((rule) => rule !== LATER && "everyone" in rule);
}
