import { instanceDataRoutes } from "#workers/contracts/api/instances/instance-data.ts";
import { BACKUP_ID, IDS, image } from "../examples.ts";
import { section } from "../section.ts";

const params = { instance_id: IDS.instance };
const ofBackup = { ...params, backup_id: BACKUP_ID };
const path = "workspace/MEMORY.md";
const modified_at = "2026-11-02T14:20:11.000Z";
const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const NO_FILE =
  "The tenant sleeps or has no Worker; the file is a database, no text, or a link; or the path leads through a link.";

export const instanceDataSection = section(
  instanceDataRoutes,
  "Backups and files",
  "Backups that people upload or keep, and the files of an instance's state. Paths are relative to the state's directory. Files that hold credentials are listed, but never shown.",
  {
    uploadBackup: {
      description:
        "Stores a backup that was downloaded before, of this tenant or of another. The archive is checked as it arrives; nothing is stored if it is no complete backup, expands too much, has paths or links outside the state, or is of a newer gateway than the tenant's. It is restored only by `restoreBackup`, and deleted after 30 days unless it is kept. A tenant has at most five.",
      params,
      answer: {
        id: BACKUP_ID,
        created_at: "2026-11-02T14:15:00.000Z",
        bytes: 48_210_944,
        gateway: { name: image.gateway, version: image.gateway_version },
        reason: "uploaded",
        by: "ada@acme.example",
        role: "ADMIN",
        kept: false,
      },
      errors: {
        conflict:
          "The backup is of a newer gateway than the tenant's, the tenant has five uploaded backups, or no Worker.",
      },
    },
    deleteBackup: {
      description: "Deletes an uploaded backup. The platform removes other backups by its rules.",
      params: ofBackup,
      errors: { conflict: "The backup was not uploaded, or the tenant has no Worker." },
    },
    keepBackup: {
      description:
        "Keeps a backup beyond the limits of count and age, or no longer. A tenant keeps at most five. Kept backups count toward the size that the plan allows.",
      params: ofBackup,
      body: { kept: true },
      answer: { kept: true },
      errors: { conflict: "The tenant already keeps five backups, or has no Worker." },
    },
    getBackupChanges: {
      description:
        "Returns the files of the state that were changed since a backup, and that a restore of it would therefore lose.",
      params: ofBackup,
      answer: { count: 1, data: [{ path, modified_at }] },
      errors: { conflict: "The tenant sleeps, so that its state is that of the newest backup, or it has no Worker." },
    },
    listFiles: {
      description: "Returns the entries of a directory by name, at most a thousand.",
      params,
      query: { path: "workspace" },
      answer: {
        data: [{ name: "MEMORY.md", kind: "file", bytes: 2_048, modified_at, secret: false }],
        truncated: false,
      },
      errors: { conflict: NO_FILE, forbidden: "The directory holds credentials." },
    },
    readFile: {
      description:
        "Returns a text file of at most 100,000 bytes. Secrets that the platform knows are replaced; `redacted` says so.",
      params,
      query: { path },
      answer: { text: "# Memory\n", hash, bytes: 9, modified_at, redacted: false },
      errors: { conflict: NO_FILE, forbidden: "The file holds credentials." },
    },
    saveFile: {
      description:
        "Replaces a text file while the gateway is stopped, and starts the gateway again. Nothing is saved if the file no longer has the `hash` that was read.",
      params,
      body: { path, text: "# Memory\n\nAda prefers short answers.\n", hash },
      answer: { hash: "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae", bytes: 37 },
      errors: {
        conflict: `The file was changed meanwhile, or has secrets. ${NO_FILE}`,
        forbidden: "The file holds credentials.",
      },
    },
    downloadFile: {
      description:
        "Returns a file of at most 10 MB, unless it has a secret of the platform. The download is recorded as an event with the caller.",
      params,
      query: { path },
      errors: { conflict: NO_FILE, forbidden: "The file holds credentials." },
    },
  },
);
