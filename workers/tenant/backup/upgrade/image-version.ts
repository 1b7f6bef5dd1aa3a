/** Which gateway the image has: asking it wakes the sandbox, so what it told last is kept for those who must not. */
import { type GatewayVersion, gatewayVersion, type VersionAnswer } from "#workers/contracts/tenant/sandbox.ts";
import type { SandboxPort } from "../../sandbox/port.ts";

const KEY = "image-version";

export class ImageVersion implements Pick<SandboxPort, "askVersions"> {
  readonly #storage: Pick<DurableObjectStorage, "get" | "put" | "delete">;
  readonly #sandbox: Pick<SandboxPort, "askVersions">;
  #isKnown = false;

  constructor(
    storage: Pick<DurableObjectStorage, "get" | "put" | "delete">,
    sandbox: Pick<SandboxPort, "askVersions">,
  ) {
    this.#storage = storage;
    this.#sandbox = sandbox;
  }

  /** As {@link SandboxPort.askVersions}. */
  async askVersions(of?: GatewayVersion): Promise<VersionAnswer> {
    const answer = await this.#sandbox.askVersions(of);
    this.#isKnown = true;
    await this.#keep(answer.image);
    return answer;
  }

  /**
   * Has the image tell once in all that `prepare` does before a start, which asks by itself where a state is at stake. An image that does
   * not tell is none that cannot start.
   */
  async during<T>(prepare: () => Promise<T>): Promise<T> {
    this.#isKnown = false;
    const prepared = await prepare();
    if (!this.#isKnown) await this.askVersions().catch(() => this.#keep(undefined));
    return prepared;
  }

  /** The version that the image last reported; `undefined` when it reported none. */
  async known(): Promise<GatewayVersion | undefined> {
    return gatewayVersion.safeParse(await this.#storage.get(KEY)).data;
  }

  async #keep(image: GatewayVersion | undefined): Promise<void> {
    const kept = await this.known();
    if (kept?.name === image?.name && kept?.version === image?.version) return;
    if (image === undefined) await this.#storage.delete(KEY);
    else await this.#storage.put<GatewayVersion>(KEY, image);
  }
}
