/** Whose a namespaced script is: a tag of it names the stack. */
import { stackOf } from "#domain/tenants/owner.ts";
import { type Claim, refuseForeign } from "../ownership.ts";

const PREFIX = "stack:";

/** The stack that a script's tags name, as `{project}/{stack}`. */
const ownerOf = (tags: readonly string[]): string | undefined =>
  tags.find((tag) => tag.startsWith(PREFIX))?.slice(PREFIX.length);

/** The tags to be put. @param owner URN of the resource that has the script; nobody's when empty */
export function ownedTags(tags: readonly string[], owner: string): string[] {
  const stack = stackOf(owner);
  return stack === undefined ? [...tags] : [...tags, PREFIX + stack];
}

/** The live tags as they were given, without the one that names the owner. */
export function givenTags(tags: readonly string[]): string[] {
  return tags.filter((tag) => !tag.startsWith(PREFIX));
}

export interface ScriptClaim extends Claim {
  scriptName: string;
}

/**
 * @param live tags of the live script; undefined when there is none
 * @param before an owner that may have handed the script over, as the state tells
 * @throws UserError when the script is another stack's
 */
export function refuseForeignScript(claim: ScriptClaim, live: readonly string[] | undefined, before?: string): void {
  const { scriptName } = claim;
  const name = scriptName.replace(/^tenant-/, "");
  refuseForeign(claim, { what: `The script ${scriptName}`, name, owner: ownerOf(live ?? []) }, before);
}
