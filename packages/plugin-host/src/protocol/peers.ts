import { UserError } from "../errors.ts";
import type { Properties } from "../properties.ts";
import type { ProcessVariables, Provider, Session } from "../provider.ts";

/** Peers remembered at once; the oldest is forgotten. An engine run has one a provider. */
const REMEMBERED = 4096;

/** What a run does, or in a preview would do, to a resource. */
export interface Step {
  operation: "create" | "update";
  /** Paths of the inputs that differ, as the engine writes them. */
  paths: string[];
}

/**
 * What is known of each peer: an engine's connection to one provider instance, by its address. A request names its resource, but never
 * the provider instance it is for.
 */
export class Peers {
  readonly #providers: ReadonlyMap<string, Provider>;
  readonly #configs = new Map<string, Properties>();
  readonly #sessions = new Map<string, Session>();
  readonly #made = new Map<string, Set<string>>();
  readonly #steps = new Map<string, Map<string, Step>>();
  readonly #engines = new Map<string, string>();
  readonly #cancellations = new Map<string, AbortController>();
  readonly #variables: ProcessVariables;

  constructor(providers: readonly Provider[], variables: ProcessVariables) {
    this.#variables = variables;
    this.#providers = new Map(providers.map((item) => [item.name, item]));
  }

  /** The engine behind `peer` serves at `address`; it need not tell. */
  shakeHands(peer: string, address: string): void {
    if (address === "") this.#engines.delete(peer);
    else this.#engines.set(peer, address);
    const oldest = this.#engines.keys().next();
    if (this.#engines.size > REMEMBERED && !oldest.done) this.#engines.delete(oldest.value);
  }

  /** Where the engine behind `peer` serves; undefined where it has not told. */
  engine(peer: string): string | undefined {
    return this.#engines.get(peer);
  }

  /** Aborted by {@link cancel}. */
  cancelled(peer: string): AbortSignal {
    return this.#cancellation(peer).signal;
  }

  /** The engine behind `peer` was asked to end its run. */
  cancel(peer: string): void {
    this.#cancellation(peer).abort();
  }

  configure(peer: string, config: Properties): void {
    this.#forget(peer);
    this.#configs.set(peer, config);
    const oldest = this.#configs.keys().next();
    if (this.#configs.size > REMEMBERED && !oldest.done) this.#forget(oldest.value);
  }

  /** The provider of a type token, `cloudflare:index/…` or `pulumi:providers:cloudflare`, if it is served here. */
  find(token: string): Provider | undefined {
    const name = token.startsWith("pulumi:providers:") ? token.slice("pulumi:providers:".length) : token.split(":")[0];
    return this.#providers.get(name ?? "");
  }

  provider(token: string): Provider {
    const found = this.find(token);
    if (found === undefined) throw new UserError(`No provider that runs here serves '${token}'.`);
    return found;
  }

  /** The provider of `token` under the configuration of `peer`. */
  session(peer: string, token: string): Session {
    const serving = this.provider(token);
    const key = `${peer} ${serving.name}`;
    const open = this.#sessions.get(key) ?? serving.open(this.#configs.get(peer) ?? {}, this.#variables);
    if (this.#configs.has(peer)) this.#sessions.set(key, open);
    return open;
  }

  /** What this peer has created, or adopted, since it was configured: an engine run has a peer of its own. */
  made(peer: string): Set<string> {
    const made = this.#made.get(peer) ?? new Set();
    if (this.#configs.has(peer)) this.#made.set(peer, made);
    return made;
  }

  /** What this peer was asked to do since it was configured, by URN; deletions are not told. */
  steps(peer: string): Map<string, Step> {
    const steps = this.#steps.get(peer) ?? new Map();
    if (this.#configs.has(peer)) this.#steps.set(peer, steps);
    return steps;
  }

  #cancellation(peer: string): AbortController {
    const cancellation = this.#cancellations.get(peer) ?? new AbortController();
    if (this.#configs.has(peer)) this.#cancellations.set(peer, cancellation);
    return cancellation;
  }

  #forget(peer: string): void {
    this.#configs.delete(peer);
    this.#cancellations.delete(peer);
    this.#made.delete(peer);
    this.#steps.delete(peer);
    for (const name of this.#providers.keys()) this.#sessions.delete(`${peer} ${name}`);
  }
}
