export interface BucketRecord {
  id: string;
  creation_date: string;
  location: string;
  storage_class: string;
  lifecycle_rules: unknown[];
}
