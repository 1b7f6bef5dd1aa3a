import type { Stamped } from "#account/records.ts";

export interface HyperdriveRecord extends Stamped {
  id: string;
  name: string;
  /** With its password, which the API never answers. */
  origin: { scheme: string; host: string; port?: number; database: string; user: string; password: string };
  [field: string]: unknown;
}

declare module "../../../account/records.ts" {
  interface Records {
    hyperdrive: HyperdriveRecord;
  }
}
