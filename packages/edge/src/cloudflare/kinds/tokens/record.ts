export interface ApiTokenRecord {
  id: string;
  name: string;
  status: string;
  policies: unknown[];
  /** SHA-256 of the value, which is returned only once. */
  value_sha256: string;
  issued_on: string;
  modified_on: string;
  [field: string]: unknown;
}
