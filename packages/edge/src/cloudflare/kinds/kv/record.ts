export interface KvNamespaceRecord {
  id: string;
  title: string;
}

declare module "../../../account/records.ts" {
  interface Records {
    kv_namespace: KvNamespaceRecord;
  }
}
