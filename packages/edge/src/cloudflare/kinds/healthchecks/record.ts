import type { Stamped } from "#account/records.ts";

export interface HealthcheckRecord extends Stamped {
  id: string;
  name: string;
  address: string;
  suspended: boolean;
  [field: string]: unknown;
}

declare module "../../../account/records.ts" {
  interface Records {
    healthcheck: HealthcheckRecord;
  }
}
