/** The order of egress in force, in the supervisor's storage. No backup contains it, and no container. */
import type { EgressLayers } from "#domain/egress/policy-types.ts";
import type { EgressOrder, EgressSecret } from "#workers/contracts/tenant/egress.ts";
import type { KeyValueStorage } from "../storage.ts";

/** Two keys: each value may have two megabytes (vendor: "Limits" of Durable Objects). */
const POLICY = "egress-policy";
const SECRETS = "egress-secrets";

type StoredPolicy = Pick<EgressOrder, "revision" | "layers">;

/** What isolates need to decide about a request. */
export interface StoredOrder {
  /** Identifies the content: it changes with each order, also with one of the same revision. */
  readonly stamp: string;
  /** Of partner and tenant; empty before the first order. */
  readonly layers: EgressLayers;
  readonly secrets: readonly EgressSecret[];
}

export class StoredEgress {
  readonly #storage: KeyValueStorage;
  #policy: StoredPolicy | undefined;
  #secrets: readonly EgressSecret[] = [];
  #stamp = crypto.randomUUID();

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
  }

  /** Reads the order. Call before anything else. */
  async load(): Promise<void> {
    // Only this class writes them, after they were parsed.
    this.#policy = (await this.#storage.get(POLICY)) as StoredPolicy | undefined;
    this.#secrets = ((await this.#storage.get(SECRETS)) as EgressSecret[] | undefined) ?? [];
  }

  /** Null before the first order. */
  get revision(): string | null {
    return this.#policy?.revision ?? null;
  }

  get order(): StoredOrder {
    return { stamp: this.#stamp, layers: this.#policy?.layers ?? [], secrets: this.#secrets };
  }

  /** Secrets to remove from logs. */
  get secrets(): string[] {
    return this.#secrets.map(({ value }) => value);
  }

  async replace({ revision, layers, secrets }: EgressOrder): Promise<void> {
    const policy = { revision, layers };
    // Begun together, so that both are stored or none (vendor: "Automatic write coalescing").
    await Promise.all([
      this.#storage.put(POLICY, policy),
      secrets.length === 0 ? this.#storage.delete(SECRETS) : this.#storage.put(SECRETS, secrets),
    ]);
    this.#policy = policy;
    this.#secrets = secrets;
    this.#stamp = crypto.randomUUID();
  }
}
