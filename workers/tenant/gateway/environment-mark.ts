/** Remembers with which environment the gateway was started, as a digest that tells nothing of it. */
import { hex } from "../../shared/hex.ts";

const KEY = "gateway-environment";

export class EnvironmentMark {
  readonly #storage: DurableObjectStorage;
  readonly #digest: Promise<string>;
  #matches: boolean | undefined;

  /** @param environment holds secrets that cannot be guessed, so that its digest gives nothing away */
  constructor(storage: DurableObjectStorage, environment: Record<string, string>) {
    this.#storage = storage;
    this.#digest = digestOf(environment);
  }

  /** Whether the gateway that runs was started with another environment than this object has. */
  async isOutdated(): Promise<boolean> {
    if (this.#matches === undefined) {
      const started = await this.#storage.get<string>(KEY);
      this.#matches = started === undefined || started === (await this.#digest);
    }
    return !this.#matches;
  }

  /** Runs a start, and remembers that its gateway has this environment unless one was running before. */
  async starting<T extends { started: boolean }>(start: () => Promise<T>): Promise<T> {
    const before = await this.#storage.get<string>(KEY);
    // Written first: a start that nobody learns of has this environment as well.
    await this.#storage.put(KEY, await this.#digest);
    const answer = await start();
    if (answer.started) this.#matches = true;
    else if (before === undefined) await this.#storage.delete(KEY);
    else await this.#storage.put(KEY, before);
    return answer;
  }
}

async function digestOf(environment: Record<string, string>): Promise<string> {
  const entries = Object.entries(environment).sort(([a], [b]) => (a < b ? -1 : 1));
  return hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(entries))));
}
