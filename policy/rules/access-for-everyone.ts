import type { ResourceValidationPolicy } from "@pulumi/policy";
import { errorText } from "#domain/errors/catalogue.ts";
import { policyErrors } from "#domain/errors/stack/policies.ts";
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
        report(errorText(policyErrors.access_group_for_everyone, { name: resource.name }));
    }
    if (resource.type === ACCESS_POLICY && !isPublicPolicy(resource.urn)) {
      const fault = publicPassage(readAccessPolicy(resource));
      if (fault !== undefined)
        report(errorText(policyErrors.access_policy_for_everyone, { name: resource.name, fault }));
    }
    if (resource.type === ACCESS_APPLICATION) {
      const { policies } = readAccessApplication(resource);
      for (const policy of policies === LATER ? [] : policies) {
        const fault = policy === LATER ? undefined : publicPassage(policy);
        if (fault !== undefined)
          report(errorText(policyErrors.access_application_for_everyone, { name: resource.name, fault }));
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
