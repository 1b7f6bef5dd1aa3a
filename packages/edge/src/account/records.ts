export interface Stamped {
  created_on: string;
  modified_on: string;
}

/** Record types by kind, in the API's names. Each kind declares its own in `cloudflare/kinds/KIND/record.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: kinds add to it where they declare their records
export interface Records {}
export type RecordKind = keyof Records;
