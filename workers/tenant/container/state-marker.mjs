/**
 * The file that tells one state directory from another: `{"id"}`, written when a gateway first starts on a state that may
 * be backed up, and kept in every backup of it. A state without it was begun after a failed restore, and is not backed up.
 */
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const STATE_MARKER = ".tenantry-state.json";

/** Whether a state directory has a marker, of whichever state. */
export const isMarked = (stateDirectory) => existsSync(join(stateDirectory, STATE_MARKER));

/** Marks a state directory, whatever it was marked as. */
export function markState(stateDirectory, id) {
  const path = join(stateDirectory, STATE_MARKER);
  writeFileSync(`${path}.new`, JSON.stringify({ id }), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
