import type { Stamped } from "#account/records.ts";

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
