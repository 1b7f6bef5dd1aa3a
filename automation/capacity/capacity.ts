import * as z from "zod";
import { readAccountLimits, storeElsewhere } from "#database/work/account-limits.ts";
import { readCapacity, storeCapacity } from "#database/work/capacity.ts";
import { queueEvent } from "#database/work/events.ts";
import type { Environment } from "#domain/environment.ts";
import { accountNeeds, DEFAULT_TENANT_SHAPE } from "#domain/plans/account-limits.ts";
import { type Capacity, capacityFaults, capacityKinds, containerNeeds, isScarce } from "#domain/plans/capacity.ts";
import { PLAN_CONTAINERS, type Plan } from "#domain/plans/plan.ts";
import { JobRefused } from "../jobs/refusals.ts";
import { defineTask, type Run, reasonOf, type Task } from "../task.ts";
import { type AccountOptions, countAccount } from "./account.ts";

export interface CapacityOptions extends AccountOptions {
  environment: Environment;
  limits: Capacity;
  /** URLs of dashboards of platforms in other accounts, by name. Default: none. */
  otherPlatforms?: Readonly<Record<string, string>>;
}

export class AccountCapacity {
  readonly #options: CapacityOptions;

  constructor(options: CapacityOptions) {
    this.#options = options;
  }

  /** Counts and stores the usage, by which the database grants places, and reports changes and scarcity to root users. @throws TaskError */
  async count({ db, log, signal }: Run): Promise<Capacity> {
    const { limits, environment } = this.#options;
    const used = await countAccount(this.#options, signal);
    const before = new Map((await readCapacity(db)).map((one) => [one.kind, one]));
    await storeCapacity(db, used, limits);
    await storeElsewhere(db, environment, this.#elsewhere());
    const isOther = (kind: keyof Capacity) =>
      before.get(kind)?.used !== used[kind] || before.get(kind)?.most !== limits[kind];
    if (capacityKinds.some(isOther)) await queueEvent(db, { client_id: null, kind: "capacity.counted", data: {} });
    for (const kind of capacityKinds) {
      const known = before.get(kind);
      if (known !== undefined && isScarce(known.used, known.most)) continue;
      if (!isScarce(used[kind], limits[kind])) continue;
      const data = { capacity: kind, used: used[kind], most: limits[kind] };
      log("warn", "capacity_scarce", data);
      await queueEvent(db, { client_id: null, kind: "capacity.scarce", data });
    }
    return used;
  }

  /** Refuses a tenant that exceeds the account's limits now. If counting fails, the deployment finds out. @throws JobRefused */
  async refuseBeyond({ dedicated, plan }: { dedicated: boolean; plan: Plan }, run: Run): Promise<void> {
    const { environment, limits } = this.#options;
    const used = await this.count(run).catch((error: unknown) => {
      run.log("warn", "capacity_not_counted", { cause: reasonOf(error) });
      return undefined;
    });
    if (used === undefined) return;
    const declared = await readAccountLimits(run.db, environment);
    const { tenant } = (declared?.needs ?? accountNeeds(DEFAULT_TENANT_SHAPE))[environment];
    const containers = (declared?.containers ?? containerNeeds(PLAN_CONTAINERS))[plan];
    const faults = capacityFaults(used, { ...tenant, ...containers, aiGateways: dedicated ? 1 : 0 }, limits);
    if (faults.length === 0) return;
    const elsewhere = this.#elsewhere();
    throw new JobRefused([...faults, ...(elsewhere === "" ? [] : [`${elsewhere}.`])].join(" "));
  }

  #elsewhere(): string {
    const others = Object.entries(this.#options.otherPlatforms ?? {}).map(([name, url]) => `${name} (${url})`);
    return others.length === 0 ? "" : `Other platforms that can host it: ${others.join(", ")}`;
  }
}

export function countCapacityTask(capacity: AccountCapacity | undefined): Task {
  return defineTask("count_capacity", z.unknown(), async (_payload, run) => {
    if (capacity === undefined) return;
    const used = await capacity.count(run);
    run.log("info", "capacity_counted", { ...used });
  });
}
