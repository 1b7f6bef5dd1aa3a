import { type CompiledPolicy, compile } from "#domain/egress/decide.ts";
import type { EgressBound } from "#domain/egress/policy-types.ts";
import type { EgressSecret } from "#workers/contracts/tenant/egress.ts";
import type { StoredOrder } from "./stored-egress.ts";

/** How long a policy is used without another question, in milliseconds: a change holds at most that much later. */
const CACHE_MS = 2_000;

const NO_HOSTS = { domain: "", refused: [] };

export interface PolicyInForce {
  readonly compiled: CompiledPolicy;
  readonly secrets: readonly EgressSecret[];
}

/** Returns the order, or null if it is the one with this stamp. */
export type OrderSource = (knownStamp: string | undefined) => Promise<StoredOrder | null>;

/** Of an isolate, which serves one tenant. */
export class PolicyCache {
  readonly #now: () => number;
  #stamp: string | undefined;
  #policy: PolicyInForce | undefined;
  #until = 0;

  /** @param now milliseconds since the epoch. Default: the system clock */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Makes the next request in this isolate ask for the policy. */
  forget(): void {
    this.#until = 0;
  }

  /** @throws Error when the policy cannot be read: a request must not pass by an outdated one */
  async read(source: OrderSource, bound: () => EgressBound | undefined): Promise<PolicyInForce> {
    if (this.#policy !== undefined && this.#now() < this.#until) return this.#policy;
    // An answer is as old as its question.
    const until = this.#now() + CACHE_MS;
    // Not shared among requests: the runtime ends a request's calls with the request.
    const order = await source(this.#policy && this.#stamp);
    if (order !== null) {
      const { layers = [], platform = NO_HOSTS } = bound() ?? {};
      this.#policy = { compiled: compile([...layers, ...order.layers], platform), secrets: order.secrets };
      this.#stamp = order.stamp;
    }
    this.#until = until;
    if (this.#policy === undefined)
      throw new Error("The supervisor has no policy for a known stamp that was not sent.");
    return this.#policy;
  }
}
