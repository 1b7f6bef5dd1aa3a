/** Where a case works, and the names that it may use. */
import { setTimeout as delay } from "node:timers/promises";
import { Contradiction } from "../checks.ts";
import type { Journal } from "./journal.ts";
import type { Place, ResourceKind } from "./resources.ts";
import { type Visited, visitEdge, visitZone } from "./visit.ts";

export interface Target extends Place {
  kind: "edge" | "account";
  apiUrl: string;
  apiToken: string;
  /** Base URL of AI gateways. */
  aiGatewayUrl: string;
  /** Database that the target reaches. Default: none. */
  databaseUrl?: string | undefined;
  /** Port of an edge's hosts. Default: hosts of the zone, by HTTPS. */
  port?: number;
}

const MINUTE_MS = 60_000;
/** Pauses between reads grow, because an account has a limit of requests. */
const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
const GROWTH = 1.5;
const REQUEST_MS = 30_000;

export class Scope {
  readonly account_id: string;
  /** Milliseconds until a read showed a write, by name. */
  readonly propagation: Record<string, number> = {};
  /** Kinds of what was created. */
  readonly owned = new Set<ResourceKind>();
  readonly #target: Target;
  readonly #journal: Journal;
  readonly #label: string;
  readonly #signal: AbortSignal;
  #names = 0;

  /** @param label short name of the case */
  constructor(target: Target, journal: Journal, label: string, signal: AbortSignal) {
    this.account_id = target.accountId;
    this.#target = target;
    this.#journal = journal;
    this.#label = label;
    this.#signal = signal;
  }

  /** URL of a database that the target reaches. */
  get databaseUrl(): string {
    const { databaseUrl } = this.#target;
    if (databaseUrl === undefined) throw new Error("A case without a database uses one.");
    return databaseUrl;
  }

  get zone_id(): string {
    return this.#zone.id;
  }

  get domain(): string {
    return this.#zone.name;
  }

  get #zone() {
    const { zone } = this.#target;
    if (zone === undefined) throw new Error("A case without a zone uses one.");
    return zone;
  }

  /** Returns an unused name of at most 40 characters, in lower case. */
  readonly name = (): string => {
    this.#names += 1;
    return `${this.#journal.prefix}-${this.#label}-${this.#names}`;
  };

  /** Writes what is created next to the journal. @param name Default: an unused one @returns the name */
  readonly own = (kind: ResourceKind, name = this.name()): string => {
    // Clean-up deletes by name, so a name without the prefix could be someone else's.
    if (!this.#journal.covers(name)) throw new Error(`${name} does not start with the prefix.`);
    this.#journal.add(kind, name);
    this.owned.add(kind);
    return name;
  };

  /** Repeats a read until it shows a write, and measures how long it takes. @throws Contradiction after the longest wait */
  async eventually<T>(
    what: string,
    read: () => Promise<T>,
    isVisible: (value: T) => boolean,
    longestMs = MINUTE_MS,
  ): Promise<T> {
    const start = performance.now();
    for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(pause * GROWTH, LONGEST_PAUSE_MS)) {
      const value = await read();
      const elapsed = Math.round(performance.now() - start);
      if (isVisible(value)) {
        this.propagation[what] = elapsed;
        return value;
      }
      if (elapsed > longestMs) throw new Contradiction(`The API does not show ${what} after ${longestMs / 1000} s.`);
      await delay(pause, undefined, { signal: this.#signal });
    }
  }

  /** Sends a GET request to a host of the zone. */
  visit(host: string, path = "/", headers: Readonly<Record<string, string>> = {}): Promise<Visited> {
    const { port, zone } = this.#target;
    if (port !== undefined) return visitEdge({ host, path, headers }, port, this.#signal);
    return visitZone({ host, path, headers }, zone?.nameServers ?? [], this.#signal);
  }

  /** Sends a chat completion to an AI gateway, without a provider's key. */
  async askGateway(gateway: string, token?: string): Promise<{ status: number; body: unknown }> {
    const url = `${this.#target.aiGatewayUrl}/v1/${this.account_id}/${gateway}/openai/chat/completions`;
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token !== undefined && { "cf-aig-authorization": `Bearer ${token}` }),
      },
      body: JSON.stringify({ model: "gpt-4o-mini", messages: [{ role: "user", content: "Hello" }] }),
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(REQUEST_MS)]),
    });
    const text = await response.text();
    try {
      return { status: response.status, body: JSON.parse(text) };
    } catch {
      return { status: response.status, body: text };
    }
  }
}
