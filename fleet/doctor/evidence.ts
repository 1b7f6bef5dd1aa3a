/** All that one look knows, from which findings are concluded. */
import type { UnfinishedRestore } from "#database/work/restores.ts";
import type { AccountLook } from "./account/account-look.ts";
import type { TokenState } from "./account/kinds/api-token.ts";
import type { BucketContent } from "./account/kinds/bucket.ts";
import type { Thing } from "./account/thing.ts";
import type { Looked } from "./looked.ts";
import type { GroupMembers } from "./members-look.ts";
import type { Platform } from "./platform.ts";
import type { RowsLook } from "./rows-look.ts";
import type { SchemaLook } from "./schema-look.ts";
import type { StackFacts } from "./stacks/stack-facts.ts";

export interface Evidence {
  platform: Platform;
  /** Every stack of the backend. */
  stacks: readonly StackFacts[];
  /** Those of the platform: its own, and its tenants'. */
  own: readonly StackFacts[];
  /** Names of stacks that a run has locked which may live, and of those that dead ones alone have locked: of states in directories. */
  locked: { living: ReadonlySet<string>; dead: ReadonlySet<string> };
  rows: Looked<RowsLook>;
  schema: Looked<SchemaLook>;
  /** Who may enter the dashboard and each tenant. */
  members: Looked<readonly GroupMembers[]>;
  restores: Looked<readonly UnfinishedRestore[]>;
  /** The last heartbeat of each tenant that had one lately. */
  heartbeats: Looked<ReadonlyMap<string, Date>>;
  account: AccountLook;
  /** Every API token of the account. */
  tokens: Looked<readonly TokenState[]>;
  /** What lies in the buckets that no stack has, by name. */
  contents: ReadonlyMap<string, Looked<BucketContent>>;
  now: Date;
}

/** What a rule concludes of one thing that it looked for. */
export type Conclusion =
  | { about: string; findings: readonly Finding[]; kept?: readonly Thing[] }
  /** Nothing, and why. */
  | { about: string; fault: string };

/** What is looked for, and what of it is found. */
export interface Finding {
  /** What it is, such as `Access application`. */
  what: string;
  name: string;
  /** What never changes of it. */
  identity: string;
  tenant: string | null;
  createdAt: string | null;
  why: string;
  remedy: string;
  /** What `--fix` may remove. Default: nothing. */
  thing?: Thing;
}

/** The stack that has a thing of the account; `undefined` for none. */
export const holderOf = (stacks: readonly StackFacts[], { id }: Pick<Thing, "id">): StackFacts | undefined =>
  stacks.find(({ resources }) => resources.has(id));

/** Whether a run was killed, or is under way, that has to do with what is called so. */
export const isPending = (stacks: readonly StackFacts[], name: string): boolean =>
  stacks.some(({ pendingText }) => pendingText.includes(JSON.stringify(name)));
