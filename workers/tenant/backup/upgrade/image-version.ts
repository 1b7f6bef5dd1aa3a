/** The gateway version of the image. Reading it wakes the sandbox, so the last result is stored. */
import { type GatewayVersion, gatewayVersion, type VersionAnswer } from "#workers/contracts/tenant/sandbox.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import type { KeyValueStorage } from "../../storage.ts";

const KEY = "image-version";

export class ImageVersion implements Pick<SandboxPort, "getVersions"> {
  readonly #storage: KeyValueStorage;
  readonly #sandbox: Pick<SandboxPort, "getVersions">;
  #wasRead = false;

  constructor(storage: KeyValueStorage, sandbox: Pick<SandboxPort, "getVersions">) {
    this.#storage = storage;
    this.#sandbox = sandbox;
  }

  /** As {@link SandboxPort.getVersions}. */
  async getVersions(of?: GatewayVersion): Promise<VersionAnswer> {
    const answer = await this.#sandbox.getVersions(of);
    this.#wasRead = true;
    await this.#store(answer.image);
    return answer;
  }

  /** Runs `prepare`, and reads the version unless `prepare` did. A failure to read it does not prevent the start. */
  async readDuring<T>(prepare: () => Promise<T>): Promise<T> {
    this.#wasRead = false;
    const prepared = await prepare();
    if (!this.#wasRead) await this.getVersions().catch(() => this.#store(undefined));
    return prepared;
  }

  /** Returns the version that the image last reported; `undefined` when it reported none. */
  async lastReported(): Promise<GatewayVersion | undefined> {
    return gatewayVersion.safeParse(await this.#storage.get(KEY)).data;
  }

  async #store(image: GatewayVersion | undefined): Promise<void> {
    const stored = await this.lastReported();
    if (stored?.name === image?.name && stored?.version === image?.version) return;
    if (image === undefined) await this.#storage.delete(KEY);
    else await this.#storage.put(KEY, image);
  }
}
