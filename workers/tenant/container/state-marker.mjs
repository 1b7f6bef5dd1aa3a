/**
 * The file with a state's id, `{"id"}`. It is written when a gateway first starts with a state that may be backed up, and included in each
 * backup. A state without it began after a failed restore, and is not backed up.
 */
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const STATE_MARKER = ".tenantry-state.json";

export const isMarked = (stateDirectory) => existsSync(join(stateDirectory, STATE_MARKER));

/** Sets the id of a state directory. */
export function markState(stateDirectory, id) {
  const path = join(stateDirectory, STATE_MARKER);
  writeFileSync(`${path}.new`, JSON.stringify({ id }), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
