/** Whose a namespaced script is: a tag of it names the stack. */
import { foreignOwner, isForeign, stackOf } from "../../domain/owner.ts";
import { UserError } from "../host/errors.ts";

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

export interface ScriptClaim {
  scriptName: string;
  /** URN of the resource that is to have the script. */
  owner: string;
  /** Whether another stack's script may be had. Default: no. */
  takeOver?: boolean;
}

/**
 * @param live tags of the live script; undefined when there is none
 * @param before an owner that may have handed the script over, as the state tells
 * @throws UserError when the script is another stack's
 */
export function refuseForeign(
  { scriptName, owner, takeOver = false }: ScriptClaim,
  live: readonly string[] | undefined,
  before?: string,
): void {
  const found = ownerOf(live ?? []);
  if (takeOver || found === undefined || !isForeign(found, owner)) return;
  if (!before || isForeign(found, before)) {
    throw new UserError(foreignOwner(`The script ${scriptName}`, found, scriptName.replace(/^tenant-/, "")));
  }
}
