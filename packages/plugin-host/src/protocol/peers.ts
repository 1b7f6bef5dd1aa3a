import { UserError } from "../errors.ts";
import type { Properties } from "../properties.ts";
import type { ProcessVariables, Provider, Session } from "../provider.ts";

/** Limit of remembered peers; the oldest is dropped. An engine run has one per provider. */
const CAPACITY = 4096;

/** What a run does, or in a preview would do, to a resource. */
interface Step {
  operation: "create" | "update";
  /** Paths of the inputs that differ, in the engine's notation. */
  paths: string[];
}

/** State of one peer since its configuration. */
interface Peer {
  config: Properties;
  sessions: Map<string, Session>;
  /** Lock key and id of each resource that the peer created or adopted. */
  created: Set<string>;
  /** By URN, without deletions. */
  steps: Map<string, Step>;
  cancellation: AbortController;
}

const newPeer = (config: Properties): Peer => ({
  config,
  sessions: new Map(),
  created: new Set(),
  steps: new Map(),
  cancellation: new AbortController(),
});

function setNewest<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next();
  if (map.size > CAPACITY && !oldest.done) map.delete(oldest.value);
}

/** State by peer, the address of a connection to one provider instance: requests do not name the provider instance. */
export class Peers {
  readonly #providers: ReadonlyMap<string, Provider>;
  readonly #peers = new Map<string, Peer>();
  readonly #engines = new Map<string, string>();
  readonly #variables: ProcessVariables;

  constructor(providers: readonly Provider[], variables: ProcessVariables) {
    this.#variables = variables;
    this.#providers = new Map(providers.map((item) => [item.name, item]));
  }

  /** @param engine address of the peer's engine; empty when the engine does not send it */
  handshake(peer: string, engine: string): void {
    if (engine === "") this.#engines.delete(peer);
    else setNewest(this.#engines, peer, engine);
  }

  engine(peer: string): string | undefined {
    return this.#engines.get(peer);
  }

  configure(peer: string, config: Properties): void {
    setNewest(this.#peers, peer, newPeer(config));
  }

  /** Returns the state of `peer`; that of a peer that was not configured is not stored. */
  get(peer: string): Peer {
    return this.#peers.get(peer) ?? newPeer({});
  }

  /** Finds the provider of a token, such as `cloudflare:index/…` or `pulumi:providers:cloudflare`. */
  find(token: string): Provider | undefined {
    const name = token.startsWith("pulumi:providers:") ? token.slice("pulumi:providers:".length) : token.split(":")[0];
    return this.#providers.get(name ?? "");
  }

  provider(token: string): Provider {
    const found = this.find(token);
    if (found === undefined) throw new UserError(`No provider that runs here serves '${token}'.`);
    return found;
  }

  /** Returns the provider of `token` with the configuration of `peer`. */
  session(peer: string, token: string): Session {
    const { config, sessions } = this.get(peer);
    const provider = this.provider(token);
    const session = sessions.get(provider.name) ?? provider.open(config, this.#variables);
    sessions.set(provider.name, session);
    return session;
  }
}
