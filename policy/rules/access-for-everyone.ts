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

/** The policy of a platform's public paths (`components/platform.ts`). */
const PUBLIC_POLICY = `::tenantry:components:Platform$${ACCESS_POLICY}::public`;

/**
 * Nothing at Access lets everyone pass (spec: "an allow-everyone policy is never retained"), but the one policy that a platform has for its public
 * paths; where that one may stand is the rule `group-only-access`.
 */
export const accessForEveryone: ResourceValidationPolicy = {
  name: "access-for-everyone",
  description: "No Access policy or group lets everyone pass, but the platform's own for public paths.",
  enforcementLevel: "mandatory",
  validateResource: (resource, report) => {
    if (resource.type === ACCESS_GROUP) {
      if (hasEveryone(readAccessGroup(resource).includes)) report(`The Access group ${resource.name} holds everyone.`);
    }
    if (resource.type === ACCESS_POLICY && !isPublicPolicy(resource.urn)) {
      const way = passage(readAccessPolicy(resource));
      if (way !== undefined) report(`The Access policy ${resource.name} ${way}: allow a group.`);
    }
    if (resource.type === ACCESS_APPLICATION) {
      const { policies } = readAccessApplication(resource);
      for (const policy of policies === LATER ? [] : policies) {
        const way = policy === LATER ? undefined : passage(policy);
        if (way !== undefined)
          report(`The Access application ${resource.name} has a policy that ${way}: allow a group.`);
      }
    }
  },
};

/** Whether it is the platform's own, by which anyone reaches its public paths. */
export const isPublicPolicy = (urn: string): boolean => urn.endsWith(PUBLIC_POLICY);

/** How anyone passes a policy; undefined where not everyone does. */
function passage({ decision, includes }: AccessPolicy): string | undefined {
  if (decision === "bypass") return "asks nobody who they are";
  return hasEveryone(includes) ? "lets everyone pass" : undefined;
}

function hasEveryone(includes: AccessPolicy["includes"]): boolean {
  return includes !== LATER && includes.some((rule) => rule !== LATER && "everyone" in rule);
}
