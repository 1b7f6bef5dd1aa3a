/** How much room the platform's account has: counted by the clock, and before a tenant is made that it has to hold. */
import * as z from "zod";
import { readCapacity, storeCapacity } from "../../database/work/capacity.ts";
import { tellEvent } from "../../database/work/events.ts";
import { DEFAULT_TENANT_SHAPE, tenantUse } from "../../domain/account-limits.ts";
import { type Capacity, capacityFaults, capacityKinds, isScarce } from "../../domain/capacity.ts";
import type { Environment } from "../../domain/environment.ts";
import { JobRefused } from "../jobs/refusals.ts";
import { causeOf, type Run, type Task, task } from "../task.ts";
import { type AccountOptions, countAccount } from "./account.ts";

export interface CapacityOptions extends AccountOptions {
  environment: Environment;
  limits: Capacity;
}

export class AccountCapacity {
  readonly #options: CapacityOptions;

  constructor(options: CapacityOptions) {
    this.#options = options;
  }

  /** Counts, keeps the count, and tells roots of what has become scarce. @throws TaskError */
  async count({ db, log, signal }: Run): Promise<Capacity> {
    const { limits } = this.#options;
    const used = await countAccount(this.#options, signal);
    const before = new Map((await readCapacity(db)).map((one) => [one.kind, isScarce(one.used, one.most)]));
    await storeCapacity(db, used, limits);
    for (const kind of capacityKinds) {
      if (before.get(kind) === true || !isScarce(used[kind], limits[kind])) continue;
      const data = { capacity: kind, used: used[kind], most: limits[kind] };
      log("warn", "capacity_scarce", data);
      await tellEvent(db, { client_id: null, kind: "capacity.scarce", data });
    }
    return used;
  }

  /**
   * Refuses what the account has no room for, before anything of it is made. Where it cannot be counted the run itself finds out.
   *
   * @param tenant.dedicated whether it gets an AI gateway of its own
   * @throws JobRefused
   */
  async refuseBeyond({ dedicated }: { dedicated: boolean }, run: Run): Promise<void> {
    const { environment, limits } = this.#options;
    const used = await this.count(run).catch((error: unknown) => {
      run.log("warn", "capacity_not_counted", { cause: causeOf(error) });
      return undefined;
    });
    if (used === undefined) return;
    const needed = { ...tenantUse(environment, DEFAULT_TENANT_SHAPE), aiGateways: dedicated ? 1 : 0 };
    const faults = capacityFaults(used, needed, limits);
    if (faults.length > 0) throw new JobRefused(faults.join(" "));
  }
}

/** @param capacity undefined where the service deploys nothing, and so counts nothing */
export function countCapacityTask(capacity: AccountCapacity | undefined): Task {
  return task("count_capacity", z.unknown(), async (_payload, run) => {
    if (capacity === undefined) return;
    const used = await capacity.count(run);
    run.log("info", "capacity_counted", { ...used });
  });
}
