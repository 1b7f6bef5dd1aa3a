/** Reads the tenant's backups and the state in its sandbox. Does not wake the sandbox. */
import type { StateInfo } from "#workers/contracts/tenant/sandbox.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import { type RetentionLimits, unexpired } from "./stored/retention.ts";
import type { BackupListing, BackupStore } from "./stored/store.ts";

const INSPECT_TIMEOUT_MS = 10_000;

export interface StateReaderOptions {
  sandbox: Pick<SandboxPort, "inspectState">;
  store: Pick<BackupStore, "list">;
  retention: RetentionLimits;
}

export class StateReader {
  readonly #o: StateReaderOptions;

  constructor(options: StateReaderOptions) {
    this.#o = options;
  }

  /** Returns the backups in the bucket, without expired ones. @throws when the bucket cannot be read */
  async backups(): Promise<BackupListing> {
    const listing = await this.#o.store.list();
    return { ...listing, own: unexpired(listing.own, new Date(), this.#o.retention) };
  }

  /** Inspects the state in the sandbox. @throws when the sandbox cannot be read */
  state(): Promise<StateInfo> {
    return this.#o.sandbox.inspectState(AbortSignal.timeout(INSPECT_TIMEOUT_MS));
  }

  /** Reads both at the same time. @throws when one of them cannot be read */
  async both(): Promise<{ listing: BackupListing; state: StateInfo }> {
    const [listing, state] = await Promise.all([this.backups(), this.state()]);
    return { listing, state };
  }
}
