/** Meanings of the fields of backups and files. A key ends with the field, after the objects or operation that have it. */
const reason =
  "Why it was made. `before_stop`: its container was replaced or removed. `restored`: the copy of a restored backup. `accepted`: an administrator accepted the state. `unknown`: an earlier version made it.";
const by = "Who requested or uploaded it; null if nobody did, or it is unknown.";
const role = "Role of that person; null if it is unknown.";
const kept = "Whether the platform keeps it beyond its limits.";
const path = "Path relative to the state's directory, such as `workspace/MEMORY.md`.";
const hash = "SHA-256 of the file, in hex.";

export const dataTexts: Readonly<Record<string, string>> = {
  "listBackups.data.reason": reason,
  "listBackups.data.by": by,
  "listBackups.data.role": role,
  "listBackups.data.kept": kept,
  "listBackups.retention":
    "Which backups stay; null if the tenant's Worker does not report it. The newest always stays, and kept ones do.",
  "listBackups.retention.count": "Most backups.",
  "listBackups.retention.days": "Days until a backup is removed.",
  "listBackups.retention.bytes": "Total size of all backups; null for no limit.",
  "listBackups.retention.kept": "Most backups that can be kept beyond these limits.",
  "uploadBackup.reason": reason,
  "uploadBackup.by": by,
  "uploadBackup.role": role,
  "uploadBackup.kept": kept,
  "keepBackup.kept": kept,
  "getBackupChanges.count": "Number of files that were changed or added.",
  "getBackupChanges.data.path": path,
  "getBackupChanges.data.modified_at": "When it was changed.",
  "listFiles.path": "Path of the directory, relative to the state's. Default: the state's directory.",
  "listFiles.data.name": "Name in the directory.",
  "listFiles.data.kind": "`special`: a socket, FIFO or device.",
  "listFiles.data.modified_at": "When it was changed.",
  "listFiles.data.secret": "Whether it holds credentials, so that its content is never shown.",
  "listFiles.truncated": "Whether the directory has more entries.",
  "readFile.path": path,
  "readFile.text": "The text, in UTF-8.",
  "readFile.hash": hash,
  "readFile.modified_at": "When it was changed.",
  "readFile.redacted": "Whether secrets were replaced in the text. It can then not be saved.",
  "saveFile.path": path,
  "saveFile.text": "The whole new text.",
  "saveFile.hash": hash,
  "downloadFile.path": path,
};
