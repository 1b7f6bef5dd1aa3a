/** Said of a backup whose archive is another than the one it was made with. */
export const OTHER_BYTES = "its archive is not the one that its manifest tells of";

/** The backup cannot be restored; the message says why. */
export class DamagedBackup extends Error {
  override name = "DamagedBackup";
}
