/** The tenant's connected channels, which the supervisor's storage holds. They are part of the gateway's environment. */
import type { Channel } from "#workers/contracts/tenant/channels.ts";
import type { KeyValueStorage } from "../storage.ts";

const KEY = "channels";

export class ConnectedChannels {
  readonly #storage: KeyValueStorage;
  #current: readonly Channel[] = [];

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
  }

  /** Reads the channels. Call before anything else. */
  async load(): Promise<void> {
    // Only this class writes them, after they were parsed.
    this.#current = ((await this.#storage.get(KEY)) as Channel[] | undefined) ?? [];
  }

  get current(): readonly Channel[] {
    return this.#current;
  }

  /** Secrets to remove from logs. */
  get secrets(): string[] {
    return this.#current.flatMap(({ secrets }) => Object.values(secrets));
  }

  /** Replaces the channels. @returns whether they changed */
  async replace(channels: readonly Channel[]): Promise<boolean> {
    const ordered = channels.toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
    if (JSON.stringify(ordered) === JSON.stringify(this.#current)) return false;
    await (ordered.length === 0 ? this.#storage.delete(KEY) : this.#storage.put(KEY, ordered));
    this.#current = ordered;
    return true;
  }
}
