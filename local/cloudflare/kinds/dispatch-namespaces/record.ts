import type { Stamped } from "#local/account/records.ts";

export interface DispatchNamespaceRecord extends Stamped {
  /** The namespace's name. */
  id: string;
  namespace_id: string;
}

declare module "../../../account/records.ts" {
  interface Records {
    dispatch_namespace: DispatchNamespaceRecord;
  }
}
