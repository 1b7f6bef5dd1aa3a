/** The supervisor's part of egress: the order in force, what the container reached, and the container's network access. */
import { strictestMode } from "#domain/egress/decide.ts";
import type { EgressBound, EgressLayers } from "#domain/egress/policy-types.ts";
import type { EgressOrder, EgressReport } from "#workers/contracts/tenant/egress.ts";
import type { RecordEvent } from "../event-log.ts";
import type { UsageMeter } from "../metrics/usage-meter.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import type { HostCount } from "./host-counts.ts";
import type { HostStore } from "./host-store.ts";
import { type NetworkPlan, networkPlan } from "./network-plan.ts";
import type { StoredEgress, StoredOrder } from "./stored-egress.ts";

const HOUR_MS = 3_600_000;
/** Events of an hour: the container must not displace all others from the log, which has 50. */
const MAX_EVENTS = 20;

export interface EgressControlOptions {
  stored: StoredEgress;
  hosts: HostStore;
  /** @throws Error when the binding is malformed */
  bound: () => EgressBound | undefined;
  sandbox: Pick<SandboxPort, "followEgress" | "egress">;
  record: RecordEvent;
  meter: Pick<UsageMeter, "countEgress">;
  /** Milliseconds since the epoch. Default: the system clock */
  now?: () => number;
}

export class EgressControl {
  readonly #o: EgressControlOptions;
  readonly #now: () => number;
  #reported = new Set<string>();
  #hour = 0;

  constructor(options: EgressControlOptions) {
    this.#o = options;
    this.#now = options.now ?? Date.now;
  }

  /** Stores an order, and applies it to a running container. */
  async replace(order: EgressOrder): Promise<void> {
    await this.#o.stored.replace(order);
    await this.#o.sandbox.followEgress();
  }

  /** @returns null for the order with this stamp */
  order(knownStamp: string | undefined): StoredOrder | null {
    const { order } = this.#o.stored;
    return order.stamp === knownStamp ? null : order;
  }

  /** @returns null when nothing was ever stated: the container then has the network access that earlier versions gave it */
  networkPlan(): NetworkPlan | null {
    const bound = this.#o.bound();
    if (bound === undefined && this.#o.stored.revision === null) return null;
    return networkPlan(this.#layers(bound), bound);
  }

  /** Counts requests. The first refusal of a host in an hour is an event. */
  record(counts: readonly HostCount[]): void {
    const { hosts, meter } = this.#o;
    hosts.add(counts);
    const sum = (part: "requests" | "refused") => counts.reduce((total, count) => total + count[part], 0);
    meter.countEgress("refused", sum("refused"));
    meter.countEgress("allowed", sum("requests") - sum("refused"));
    for (const count of counts) if (count.refused > 0) this.#report(count);
  }

  async report(): Promise<EgressReport> {
    const { stored, hosts, bound, sandbox } = this.#o;
    const layers = this.#layers(bound());
    const plan = this.networkPlan();
    const network = await sandbox.egress();
    return {
      revision: stored.revision,
      mode: strictestMode(layers),
      restartRequired: network !== undefined && network.internet !== (plan?.internet ?? true),
      gaps: network?.gaps ?? [],
      hosts: hosts.list(),
    };
  }

  #layers(bound: EgressBound | undefined): EgressLayers {
    return [...(bound?.layers ?? []), ...this.#o.stored.order.layers];
  }

  #report({ host, port, program, reason }: HostCount): void {
    const hour = Math.floor(this.#now() / HOUR_MS);
    if (hour !== this.#hour) this.#reported = new Set();
    this.#hour = hour;
    if (this.#reported.has(host) || this.#reported.size >= MAX_EVENTS) return;
    this.#reported.add(host);
    this.#o.record("egress.refused", { host, port, program, reason });
  }
}
