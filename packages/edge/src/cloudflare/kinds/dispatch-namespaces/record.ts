export interface DispatchNamespaceRecord {
  /** The namespace's name. */
  id: string;
  namespace_id: string;
  created_on: string;
  modified_on: string;
}
