import { errorFault, type Fault } from "../errors/catalogue-error.ts";
import { planRuleErrors } from "../errors/stack/plan-rules.ts";
/** Ownership of rows and tagged resources by stacks, so that no stack changes those of another. */

/** Returns the stack of a resource's URN, as `{project}/{stack}`; `undefined` for anything else (pulumi: "URNs"). */
export function stackOf(urn: string): string | undefined {
  const [, stack, project] = /^urn:pulumi:([^:]+)::([^:]+)::/.exec(urn) ?? [];
  return stack === undefined ? undefined : `${project}/${stack}`;
}

/** Returns the name of a stack that may be qualified, as `{project}/{stack}` or `{organization}/{project}/{stack}`. */
export const stackName = (stack: string): string => stack.split("/").at(-1) ?? stack;

/** Whether two owners, each a URN or `{project}/{stack}`, are different stacks. False without an owner. */
export function isForeign(owner: string | null | undefined, own: string): boolean {
  if (!owner) return false;
  return (stackOf(owner) ?? owner) !== (stackOf(own) ?? own);
}

/** Variable with slugs and gateway IDs that a run may take over from other stacks, separated by commas. Default: none. */
export const TAKE_OVER_VARIABLE = "TENANTRY_TAKE_OVER";

/** @param owner a URN or `{project}/{stack}` */
export function foreignOwner(what: string, owner: string, name: string): Fault {
  const values = { what, owner: stackOf(owner) ?? owner, variable: TAKE_OVER_VARIABLE, name };
  return errorFault(planRuleErrors.foreign_owner, values);
}
