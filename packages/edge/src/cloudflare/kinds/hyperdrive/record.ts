import type { Stamped } from "#account/records.ts";

export interface HyperdriveRecord extends Stamped {
  id: string;
  name: string;
  /** The API never returns the password. */
  origin: { scheme: string; host: string; port?: number; database: string; user: string; password: string };
  [field: string]: unknown;
}

declare module "../../../account/records.ts" {
  interface Records {
    hyperdrive: HyperdriveRecord;
  }
}
