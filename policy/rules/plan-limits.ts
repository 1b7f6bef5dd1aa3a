import type { ResourceValidationArgs, ResourceValidationPolicy } from "@pulumi/policy";
import * as z from "zod";
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
 * A tenant has what its plan grants (spec: "Plan limits"; `domain/plans/plans.ts`): the plan's container, and the variables for backups and sleep. No
 * script has more CPU time and subrequests than the largest plan grants; the dispatch Worker enforces the plan's own for each request. A plan may
 * accept larger containers.
 *
 * Setting `containers`: other instance types by plan, as `platform.containers` of the stack has them.
 */
export const planLimitsRule: ResourceValidationPolicy = {
  name: "plan-limits",
  description: "Tenants have the containers and limits that their plan grants.",
  enforcementLevel: "advisory",
  configSchema: {
    properties: {
      containers: {
        type: "object",
        description: "Instance types of plans whose containers the platform's settings change.",
        properties: Object.fromEntries(plans.map((plan) => [plan, { type: "string", enum: [...instanceTypes] }])),
        additionalProperties: false,
      },
    },
  },
  validateResource: (resource, report) => {
    if (resource.type === TENANT_SCRIPT) {
      const script = readTenantScript(resource);
      const plan = plans.find((one) => one === bindingText(script, "BILLING_PLAN"));
      if (plan === undefined) return;
      for (const place of placesOf(resource, script)) planAt.set(place, plan);
      for (const fault of scriptFaults(script, plan)) report(`The tenant's script ${resource.name} ${fault}.`);
    }
    if (resource.type === CONTAINERS) {
      const granted = { ...PLAN_CONTAINERS, ...config.parse(resource.getConfig()).containers };
      const fault = containerFault(resource, granted);
      if (fault !== undefined) report(`The containers of ${resource.name} ${fault}.`);
    }
  },
};

/**
 * Plans of the run's tenants, by what tells a script and its containers: the script's name, and, where the run is yet to tell that, what they are
 * both part of. A process of the pack sees one run, and the script before its containers, which are given its name.
 */
const planAt = new Map<string, Plan>();

function placesOf({ opts }: ResourceValidationArgs, { scriptName }: { scriptName: string | Later }): string[] {
  return scriptName === LATER ? [opts.parent ?? ""] : [scriptName, opts.parent ?? ""];
}

function scriptFaults(script: TenantScript, plan: Plan): string[] {
  const faults: string[] = [];
  for (const [name, granted] of Object.entries(planVariables(plan))) {
    if (isLater(script, name)) continue;
    const told = bindingText(script, name);
    if (told !== granted) {
      faults.push(`is told ${told ?? "no"} ${name}, where the plan ${plan} has ${granted ?? "none"}`);
    }
  }
  const { limits } = script;
  for (const name of ["cpuMs", "subrequests"] as const) {
    const limit = limits === LATER ? LATER : limits[name];
    if (limit === LATER || (limit !== undefined && limit <= SCRIPT_LIMITS[name])) continue;
    faults.push(
      `may use ${limit ?? "any"} ${name} an invocation, where no plan grants more than ${SCRIPT_LIMITS[name]}`,
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
  const [place = ""] = placesOf(resource, containers);
  const plan = planAt.get(place);
  if (plan === undefined || instanceType === LATER || instanceType === granted[plan]) return undefined;
  const sizes: readonly string[] = instanceTypes;
  const larger = instanceType !== undefined && sizes.indexOf(instanceType) > sizes.indexOf(granted[plan]);
  if (planLimits(plan).acceptsLargerContainer && larger) return undefined;
  return `are ${instanceType ?? "of no size"}, where the plan ${plan} has ${granted[plan]}`;
}
