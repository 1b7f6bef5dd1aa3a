/**
 * Routes a container's requests to entrypoints of the tenant Worker. The first mapping that matches wins, and none can be removed while the container
 * runs (vendor: `src/workerd/server/container-client.c++`), so mappings only say what passes through the Worker, and the Worker decides.
 */
import { type EgressGap, egressGaps } from "#workers/contracts/tenant/egress.ts";
import { AI_GATEWAY_HOST, METRICS_HOST } from "#workers/contracts/tenant/sandbox.ts";
import { log } from "#workers/shared/log.ts";
import { EVERY_HOST, type Interception, type NetworkPlan } from "../egress/network-plan.ts";

/** The part of a `Container` that is used. It is without the runtime's types, for tests. */
export interface InterceptingContainer<Target> {
  interceptOutboundHttp(address: string, target: Target): Promise<void>;
  interceptAllOutboundHttp(target: Target): Promise<void>;
  interceptOutboundHttps(address: string, target: Target): Promise<void>;
}

/** Entrypoints of the tenant Worker. */
export interface Entrypoints<Target> {
  readonly metrics: Target;
  readonly modelCalls: Target;
  readonly outbound: Target;
}

/** The mappings of one container, from its start to its end. */
export class Interceptions<Target> {
  readonly #container: InterceptingContainer<Target>;
  readonly #entrypoints: Entrypoints<Target>;
  readonly #open = new Set<string>();
  readonly #gaps = new Set<EgressGap>();
  #latest: Promise<void> = Promise.resolve();

  constructor(container: InterceptingContainer<Target>, entrypoints: Entrypoints<Target>) {
    this.#container = container;
    this.#entrypoints = entrypoints;
  }

  /** What the last plan demands and the container does not have. */
  get gaps(): EgressGap[] {
    return egressGaps.filter((gap) => this.#gaps.has(gap));
  }

  /** Whether HTTPS of a host is intercepted. */
  get hasHttps(): boolean {
    return [...this.#open].some((key) => key.startsWith("https "));
  }

  /**
   * Opens the mappings that the container does not have. Logs a failure instead of throwing: the container then runs without the mapping, which
   * {@link gaps} reports.
   *
   * @param plan null if no policy was ever stated
   */
  follow(plan: NetworkPlan | null): Promise<void> {
    // One at a time, so that a mapping is not opened twice and the gaps are those of the last plan.
    this.#latest = this.#latest.then(() => this.#follow(plan));
    return this.#latest;
  }

  async #follow(plan: NetworkPlan | null): Promise<void> {
    const { metrics, modelCalls, outbound } = this.#entrypoints;
    this.#gaps.clear();
    // First, since a later mapping may match these hosts too.
    await this.#intercept({ protocol: "http", address: METRICS_HOST }, metrics);
    await this.#intercept({ protocol: "http", address: AI_GATEWAY_HOST }, modelCalls);
    await Promise.all((plan?.interceptions ?? []).map((interception) => this.#intercept(interception, outbound)));
  }

  async #intercept({ protocol, address }: Interception, entrypoint: Target): Promise<void> {
    const key = `${protocol} ${address}`;
    if (this.#open.has(key)) return;
    try {
      await this.#map({ protocol, address }, entrypoint);
      this.#open.add(key);
    } catch (error) {
      this.#gaps.add(gapOf({ protocol, address }));
      log("error", "way-out.not-open", { host: address, protocol, message: String(error) });
    }
  }

  #map({ protocol, address }: Interception, entrypoint: Target): Promise<void> {
    if (protocol === "https") return this.#container.interceptOutboundHttps(address, entrypoint);
    if (address === EVERY_HOST) return this.#container.interceptAllOutboundHttp(entrypoint);
    return this.#container.interceptOutboundHttp(address, entrypoint);
  }
}

const gapOf = ({ protocol, address }: Interception): EgressGap => (/[^:]:\d+$/.test(address) ? "ports" : protocol);
