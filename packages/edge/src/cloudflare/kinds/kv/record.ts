export interface KvNamespaceRecord {
  id: string;
  title: string;
}
