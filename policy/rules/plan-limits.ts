import type { ResourceValidationArgs, ResourceValidationPolicy } from "@pulumi/policy";
import * as z from "zod";
import { errorText } from "#domain/errors/catalogue.ts";
import { policyErrors } from "#domain/errors/stack/policies.ts";
import { PLAN_CONTAINERS, type Plan, planLimits, plans, planVariables, SCRIPT_LIMITS } from "#domain/plans/plan.ts";
import { type InstanceType, instanceTypes } from "#domain/tenants/instance-type.ts";
import { LATER, type Later } from "../known.ts";
import {
  bindingText,
  CONTAINERS,
  readContainers,
  readTenantScript,
  TENANT_SCRIPT,
  type TenantScript,
} from "../resources.ts";

const config = z.object({ containers: z.partialRecord(z.enum(plans), z.enum(instanceTypes)).default({}) });

/**
 * A tenant has the container and variables of its plan (`domain/plans/plans.ts`), or a larger container if the plan accepts one. Scripts have
 * at most the limits of the largest plan; the dispatch Worker enforces those of the tenant's plan for each request.
 *
 * Setting `containers`: instance types by plan, as in the stack's `platform.containers`.
 */
export const planLimitsRule: ResourceValidationPolicy = {
  name: "plan-limits",
  description: "Tenants have the containers and limits of their plan.",
  enforcementLevel: "advisory",
  configSchema: {
    properties: {
      containers: {
        type: "object",
        description: "Instance types by plan, if they differ from the defaults.",
        properties: Object.fromEntries(plans.map((plan) => [plan, { type: "string", enum: [...instanceTypes] }])),
        additionalProperties: false,
      },
    },
  },
  validateResource: (resource, report) => {
    if (resource.type === TENANT_SCRIPT) {
      const script = readTenantScript(resource);
      const plan = plans.find((name) => name === bindingText(script, "BILLING_PLAN"));
      if (plan === undefined) return;
      for (const key of keysOf(resource, script)) planAt.set(key, plan);
      for (const fault of scriptFaults(script, plan)) {
        report(errorText(policyErrors.script_beyond_plan, { script: resource.name, fault }));
      }
    }
    if (resource.type === CONTAINERS) {
      const granted = { ...PLAN_CONTAINERS, ...config.parse(resource.getConfig()).containers };
      const fault = containerFault(resource, granted);
      if (fault !== undefined) report(errorText(policyErrors.containers_beyond_plan, { name: resource.name, fault }));
    }
  },
};

/** Plans by script name, and by parent while the name is unknown. A process of the pack checks one run, scripts before their containers. */
const planAt = new Map<string, Plan>();

function keysOf({ opts }: ResourceValidationArgs, { scriptName }: { scriptName: string | Later }): string[] {
  return scriptName === LATER ? [opts.parent ?? ""] : [scriptName, opts.parent ?? ""];
}

function scriptFaults(script: TenantScript, plan: Plan): string[] {
  const faults: string[] = [];
  for (const [name, granted] of Object.entries(planVariables(plan))) {
    if (isLater(script, name)) continue;
    const actual = bindingText(script, name);
    if (actual !== granted) {
      faults.push(`has ${name} ${actual ?? "unset"}, but the plan ${plan} has ${granted ?? "none"}`);
    }
  }
  const { limits } = script;
  for (const name of ["cpuMs", "subrequests"] as const) {
    const limit = limits === LATER ? LATER : limits[name];
    if (limit === LATER || (limit !== undefined && limit <= SCRIPT_LIMITS[name])) continue;
    faults.push(
      `may use ${limit ?? "unlimited"} ${name} per invocation, but no plan grants more than ${SCRIPT_LIMITS[name]}`,
    );
  }
  return faults;
}

function isLater({ bindings }: TenantScript, name: string): boolean {
  if (bindings === LATER) return true;
  const binding = bindings[name];
  return binding === LATER || binding?.text === LATER;
}

function containerFault(
  resource: ResourceValidationArgs,
  granted: Readonly<Record<Plan, InstanceType>>,
): string | undefined {
  const containers = readContainers(resource);
  const { instanceType } = containers;
  const [key = ""] = keysOf(resource, containers);
  const plan = planAt.get(key);
  if (plan === undefined || instanceType === LATER || instanceType === granted[plan]) return undefined;
  const sizes: readonly string[] = instanceTypes;
  const larger = instanceType !== undefined && sizes.indexOf(instanceType) > sizes.indexOf(granted[plan]);
  if (planLimits(plan).acceptsLargerContainer && larger) return undefined;
  return `have the type ${instanceType ?? "none"}, but the plan ${plan} has ${granted[plan]}`;
}
