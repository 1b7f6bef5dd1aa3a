import type { RecordKind, Records } from "../../account/records.ts";
import type { Store } from "../../account/store.ts";
import { ApiError } from "./api-error.ts";

/** Returns a function that finds a record by its id. The function throws an ApiError 404 when the record does not exist. */
export function finder<K extends RecordKind>(kind: K, code: number, message: string) {
  return (store: Store, id: string): Records[K] => {
    const record = store.get(kind, id);
    if (record === undefined) throw new ApiError(404, code, message);
    return record;
  };
}
