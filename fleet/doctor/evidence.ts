import type { UnfinishedRestore } from "#database/work/restores.ts";
import type { AccountResources } from "./account/account.ts";
import type { AccountResource, ResourceKind } from "./account/account-resource.ts";
import type { TokenState } from "./account/kinds/api-token.ts";
import type { BucketContent } from "./account/kinds/bucket.ts";
import type { Checked } from "./checked.ts";
import type { GroupMembers } from "./members.ts";
import type { Platform } from "./platform.ts";
import type { KnownRows } from "./rows.ts";
import type { SchemaState } from "./schema.ts";
import type { StackFacts } from "./stacks/stack-facts.ts";

/** Everything that the rules draw conclusions from. */
export interface Evidence {
  platform: Platform;
  stacks: readonly StackFacts[];
  /** Stacks of the platform and of its tenants. */
  own: readonly StackFacts[];
  /** Names of locked stacks in a file backend: those with a run that may be alive, and those with dead runs only. */
  locked: { living: ReadonlySet<string>; dead: ReadonlySet<string> };
  rows: Checked<KnownRows>;
  schema: Checked<SchemaState>;
  members: Checked<readonly GroupMembers[]>;
  restores: Checked<readonly UnfinishedRestore[]>;
  heartbeats: Checked<ReadonlyMap<string, Date>>;
  account: AccountResources;
  tokens: Checked<readonly TokenState[]>;
  /** By bucket name, of the buckets that no stack has. */
  contents: ReadonlyMap<string, Checked<BucketContent>>;
  now: Date;
}

/** What a rule concludes about one subject. `fault`: nothing, and why. */
export type Conclusion =
  | { about: string; findings: readonly Finding[]; kept?: readonly AccountResource[] }
  | { about: string; fault: string };

export interface Finding {
  /** Such as `Access application`. */
  what: string;
  name: string;
  identity: string;
  /** Slug. Default: no tenant. */
  tenant?: string | null;
  /** Default: unknown. */
  createdAt?: string | null;
  why: string;
  remedy: string;
  /** Resource that `--fix` may remove. Default: none. */
  removable?: AccountResource;
  /** Resource of a stack of which `removable` is an unused copy. Default: it is no copy. */
  twin?: AccountResource | undefined;
}

/** Returns the stack that has a resource of the account. */
export const holderOf = (stacks: readonly StackFacts[], { id }: Pick<AccountResource, "id">): StackFacts | undefined =>
  stacks.find(({ resources }) => resources.has(id));

/** Kinds of which Cloudflare creates another one with the same name when a client repeats a create whose response was lost. */
const REPEATABLE: readonly ResourceKind[] = ["access_policy", "access_group", "api_token"];

/** Returns the resource of a stack that has the kind and name of a resource without a stack. */
export function twinOf(
  { kind, id, name }: AccountResource,
  { account, stacks }: Pick<Evidence, "account" | "stacks">,
): AccountResource | undefined {
  const listed = account[kind];
  if ("fault" in listed || !REPEATABLE.includes(kind)) return undefined;
  return listed.found.find((other) => other.id !== id && other.name === name && holderOf(stacks, other) !== undefined);
}

/** Whether a run that is under way or was killed refers to this name. */
export const isPending = (stacks: readonly StackFacts[], name: string): boolean =>
  stacks.some(({ pendingText }) => pendingText.includes(JSON.stringify(name)));
