/** A tag of a namespaced script names the stack that owns it. */
import { stackOf } from "#domain/tenants/owner.ts";
import { type Claim, refuseForeign } from "../ownership.ts";

const PREFIX = "stack:";

const ownerOf = (tags: readonly string[]): string | undefined =>
  tags.find((tag) => tag.startsWith(PREFIX))?.slice(PREFIX.length);

/** Adds the owner's tag. @param owner URN of the resource; empty for none */
export function ownedTags(tags: readonly string[], owner: string): string[] {
  const stack = stackOf(owner);
  return stack === undefined ? [...tags] : [...tags, PREFIX + stack];
}

export function givenTags(tags: readonly string[]): string[] {
  return tags.filter((tag) => !tag.startsWith(PREFIX));
}

interface ScriptClaim extends Claim {
  scriptName: string;
}

/**
 * @param live tags of the live script; undefined if it does not exist
 * @param before the owner in the state, which may have handed the script over
 * @throws UserError if another stack owns the script
 */
export function refuseForeignScript(claim: ScriptClaim, live: readonly string[] | undefined, before?: string): void {
  const { scriptName } = claim;
  const name = scriptName.replace(/^tenant-/, "");
  refuseForeign(claim, { what: `The script ${scriptName}`, name, owner: ownerOf(live ?? []) }, before);
}
