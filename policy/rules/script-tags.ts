import type { ResourceValidationPolicy } from "@pulumi/policy";
import { environments } from "#domain/environment.ts";
import { plans } from "#domain/plans/plan.ts";
import { LATER } from "../known.ts";
import { bindingText, readTenantScript, TENANT_SCRIPT } from "../resources.ts";

/**
 * A tenant's script is tagged with whose it is: `customer_id:{id}`, `plan:{plan}` and `env:{environment}` (spec: "Provisioning flow for a new
 * customer"), the latter two as the script itself is told.
 */
export const scriptTags: ResourceValidationPolicy = {
  name: "script-tags",
  description: "Tenants' scripts are tagged with customer_id, plan and env.",
  enforcementLevel: "advisory",
  validateResource: (resource, report) => {
    if (resource.type !== TENANT_SCRIPT) return;
    const script = readTenantScript(resource);
    const { tags } = script;
    if (tags === LATER) return;
    const is = (key: string, right: (value: string) => boolean) =>
      tags.some((tag) => typeof tag === "string" && tag.startsWith(`${key}:`) && right(tag.slice(key.length + 1)));
    const told = (name: string, all: readonly string[]) => {
      const value = bindingText(script, name);
      return (tag: string) => (value === undefined ? all.includes(tag) : tag === value);
    };
    // A client that is yet to be made has no id: its tag is the one that is not known.
    if (!tags.includes(LATER) && !is("customer_id", (id) => id !== ""))
      report(missing(resource.name, "customer_id:{id}"));
    if (!is("plan", told("BILLING_PLAN", plans))) report(missing(resource.name, "plan:{plan}"));
    if (!is("env", told("ENVIRONMENT", environments))) report(missing(resource.name, "env:{environment}"));
  },
};

const missing = (script: string, tag: string): string => `The script ${script} has no tag ${tag} that is true of it.`;
