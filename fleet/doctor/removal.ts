import type { Kysely } from "kysely";
import { cloudflareFault } from "#automation/outside/cloudflare.ts";
import type { DB } from "#database/types.ts";
import type { AccountArgs, AccountResource } from "./account/account-resource.ts";
import { ACCOUNT_KINDS } from "./account/kinds.ts";
import { checkWork } from "./checked.ts";
import { claimsOn } from "./claims.ts";
import { holderOf, isPending } from "./evidence.ts";
import { readHeartbeats } from "./heartbeats.ts";
import type { Removal } from "./report.ts";
import { readRows } from "./rows.ts";
import type { BackendSnapshot } from "./stacks/backend-snapshot.ts";

interface RemovalArgs {
  account: AccountArgs;
  /** Read again before the removal. */
  backend: BackendSnapshot;
  db: Kysely<DB>;
  /** Resource of a stack of which it is an unused copy. Default: it is no copy. */
  twin?: AccountResource | undefined;
  variables: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** Removes a resource without an owner after a second check. Never throws. */
export async function removeUnowned(resource: AccountResource, args: RemovalArgs): Promise<Removal> {
  try {
    args.signal.throwIfAborted();
    const why = await reasonToKeep(resource, args);
    if (why !== undefined) return { state: "held", why, after: null };
    await ACCOUNT_KINDS[resource.kind].remove(args.account, resource.id);
    return { state: "removed", why: null, after: null };
  } catch (error) {
    return { state: "failed", why: cloudflareFault(error), after: null };
  }
}

async function reasonToKeep(resource: AccountResource, args: RemovalArgs) {
  const { account, backend, db, twin, variables, signal } = args;
  const { platform } = account;
  const kind = ACCOUNT_KINDS[resource.kind];
  const { stacks } = await backend.refresh();
  const holder = holderOf(stacks, resource);
  if (holder !== undefined) return `the stack ${holder.stack} has it now`;
  if (isPending(stacks, resource.name)) return "a run is creating it";
  const current = await kind.find(account, resource.id);
  if (current === undefined) return "it was removed already";
  if (current.identity !== resource.identity) return "another resource has its name now";
  const hold = await kind.hold?.(account, resource.id);
  if (hold !== undefined) return hold;
  if (twin !== undefined) {
    const isUsed = holderOf(stacks, twin) !== undefined && (await kind.find(account, twin.id)) !== undefined;
    return isUsed ? undefined : "the one of which it is a copy was removed";
  }
  const heartbeats = await checkWork(() => readHeartbeats(platform, variables, signal));
  // Last, because every operation on a tenant begins in the database.
  const rows = await checkWork(() => readRows(db, platform.environment, [resource.tenant]));
  return claimsOn(resource.tenant, { platform, stacks, rows, heartbeats })[0];
}
