/** The stack that has a resource: what the provider leaves in rows and tags, so that two stacks never take each other's for theirs. */

/** The stack of a resource's URN, as `{project}/{stack}`; `undefined` for anything else (pulumi: "URNs"). */
export function stackOf(urn: string): string | undefined {
  const [, stack, project] = /^urn:pulumi:([^:]+)::([^:]+)::/.exec(urn) ?? [];
  return stack === undefined ? undefined : `${project}/${stack}`;
}

/** The short name of a stack that may be qualified, as `{project}/{stack}` or `{organization}/{project}/{stack}`. */
export const stackName = (stack: string): string => stack.split("/").at(-1) ?? stack;

/** Whether `owner` names another stack than `own` does, each a URN or `{project}/{stack}`. What has no owner is nobody's. */
export function isForeign(owner: string | null | undefined, own: string): boolean {
  if (!owner) return false;
  return (stackOf(owner) ?? owner) !== (stackOf(own) ?? own);
}

/** Variable that names what a run may take over from other stacks, by slug or gateway id, separated by commas. Default: nothing. */
export const TAKE_OVER_VARIABLE = "TENANTRY_TAKE_OVER";

/** One sentence for a refusal. @param owner a URN or `{project}/{stack}` */
export function foreignOwner(what: string, owner: string, name: string): string {
  return (
    `${what} belongs to the stack ${stackOf(owner) ?? owner}: choose another name, or remove it there. If its state was moved ` +
    `here by \`pulumi state move\`, or to take it over as it is, give this one run ${TAKE_OVER_VARIABLE}=${name}.`
  );
}
