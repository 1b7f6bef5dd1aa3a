/** The removal of one thing that nobody owns: looked at again right before, from all sides. */
import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import { apiWording } from "./account/account-look.ts";
import { ACCOUNT_KINDS } from "./account/kinds.ts";
import type { AccountArgs, Thing } from "./account/thing.ts";
import { claimsOn } from "./claims.ts";
import { holderOf, isPending } from "./evidence.ts";
import { lookAtHeartbeats } from "./heartbeats-look.ts";
import { look } from "./looked.ts";
import type { Removal } from "./report.ts";
import { lookAtRows } from "./rows-look.ts";
import type { BackendLook } from "./stacks/backend-look.ts";

export interface RemovalArgs {
  account: AccountArgs;
  /** As it was found; what was written since is read again. */
  backend: BackendLook;
  db: Kysely<DB>;
  variables: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** @returns what became of it; never throws */
export async function removeUnowned(thing: Thing, args: RemovalArgs): Promise<Removal> {
  const kind = ACCOUNT_KINDS[thing.kind];
  try {
    args.signal.throwIfAborted();
    const why = await reasonToKeep(thing, args);
    if (why !== undefined) return { state: "held", why, after: null };
    await kind.remove(args.account, thing);
    return { state: "removed", why: null, after: null };
  } catch (error) {
    return { state: "failed", why: apiWording(error), after: null };
  }
}

/** Why it is to stay after all. @throws Error where that cannot be found out */
async function reasonToKeep(thing: Thing, { account, backend, db, variables, signal }: RemovalArgs) {
  const { platform } = account;
  const kind = ACCOUNT_KINDS[thing.kind];
  const { stacks } = await backend.again();
  const holder = holderOf(stacks, thing);
  if (holder !== undefined) return `the stack ${holder.stack} has it now`;
  if (isPending(stacks, thing.name)) return "a run is about to have it";
  const there = await kind.find(account, thing);
  if (there === undefined) return "it is gone already";
  if (there.identity !== thing.identity) return "it is another one by now, of the same name";
  const hold = await kind.hold?.(account, thing);
  if (hold !== undefined) return hold;
  const heartbeats = await look(() => lookAtHeartbeats(platform, variables, signal));
  // Last, since it is the database by which everyone begins.
  const rows = await look(() => lookAtRows(db, platform.environment, [thing.tenant]));
  const [claim] = claimsOn(thing.tenant, { platform, stacks, rows, heartbeats });
  return claim;
}
