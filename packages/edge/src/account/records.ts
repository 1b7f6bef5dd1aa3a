/**
 * What the account's store holds: one record type a kind, in the API's own snake_case, declared by the kind's own folder
 * (`cloudflare/kinds/…/record.ts`). The runtime and the Access stand-in read these records and nothing else, so they see just
 * what the API was sent.
 */

export interface Stamped {
  created_on: string;
  modified_on: string;
}

/** The type of each kind's records; each kind adds its own. */
// biome-ignore lint/suspicious/noEmptyInterface: kinds add to it where they declare their records
export interface Records {}
export type RecordKind = keyof Records;
