export interface DispatchNamespaceRecord {
  id: string;
  namespace_id: string;
  created_on: string;
  modified_on: string;
}
