export interface ApiTokenRecord {
  id: string;
  name: string;
  status: string;
  policies: unknown[];
  /** SHA-256 of the token's value, which is answered once. */
  value_sha256: string;
  issued_on: string;
  modified_on: string;
  [field: string]: unknown;
}

declare module "../../../account/records.ts" {
  interface Records {
    api_token: ApiTokenRecord;
  }
}
