import type { ResourceValidationPolicy } from "@pulumi/policy";
import { environments } from "#domain/environment.ts";
import { plans } from "#domain/plans/plan.ts";
import { LATER } from "../known.ts";
import { bindingText, readTenantScript, TENANT_SCRIPT } from "../resources.ts";

/** A tenant's script has the tags `customer_id:{id}`, `plan:{plan}` and `env:{environment}`, the latter two equal to its bindings. */
export const scriptTags: ResourceValidationPolicy = {
  name: "script-tags",
  description: "Tenants' scripts have the tags customer_id, plan and env.",
  enforcementLevel: "advisory",
  validateResource: (resource, report) => {
    if (resource.type !== TENANT_SCRIPT) return;
    const script = readTenantScript(resource);
    const { tags } = script;
    if (tags === LATER) return;
    const hasTag = (key: string, isValid: (value: string) => boolean) =>
      tags.some((tag) => typeof tag === "string" && tag.startsWith(`${key}:`) && isValid(tag.slice(key.length + 1)));
    const matching = (name: string, all: readonly string[]) => {
      const value = bindingText(script, name);
      return (tag: string) => (value === undefined ? all.includes(tag) : tag === value);
    };
    // A new client's id, and so its tag, is unknown in a preview.
    if (!tags.includes(LATER) && !hasTag("customer_id", (id) => id !== ""))
      report(missingTagText(resource.name, "customer_id:{id}"));
    if (!hasTag("plan", matching("BILLING_PLAN", plans))) report(missingTagText(resource.name, "plan:{plan}"));
    if (!hasTag("env", matching("ENVIRONMENT", environments)))
      report(missingTagText(resource.name, "env:{environment}"));
  },
};

const missingTagText = (script: string, tag: string): string => `The script ${script} has no correct tag ${tag}.`;
