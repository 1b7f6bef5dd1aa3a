import type { GatewayVersion } from "#workers/contracts/tenant/sandbox.ts";

/** A listed backup: one that has a manifest. */
export interface StoredBackup {
  id: string;
  /** When it was made, or, when its manifest does not tell, when the manifest was written. */
  createdAt: Date;
  /** Bytes of the archive as it lies in the bucket; 0 when it is gone. */
  bytes: number;
  /** Which state it is of; `undefined` when the listing shows that the backup cannot be restored. */
  state: string | undefined;
  /** Which gateway wrote the state; `undefined` when the listing does not tell. */
  gateway?: GatewayVersion | undefined;
  /** Of a copy that a restore made the newest. */
  restore?: OrderedRestore | undefined;
}

/** A restore, as it was ordered. */
export interface OrderedRestore {
  order: string;
  /** Id of the chosen backup. */
  of: string;
  /** Id of the backup of the state before, if there was any. */
  present?: string | undefined;
}
