/** Files of a tenant's state directory, for its administrators. Paths are relative to the directory, without a slash at their start. */
import * as z from "zod";

export const FILES_PATH = "/api/admin/gateway/files";
export const FILE_PATH = `${FILES_PATH}/content`;
export const FILE_DOWNLOAD_PATH = `${FILES_PATH}/download`;

/** Largest text that is shown and edited. */
export const MAX_TEXT_BYTES = 100_000;
/** Largest file that is downloaded alone. */
export const MAX_DOWNLOAD_BYTES = 10_000_000;

export const filePath = z
  .string()
  .max(3000)
  .regex(/^[^\0]*$/, "must not have a NUL character");
export const fileQuery = z.object({ path: filePath.default("") });

export const fileHash = z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in hex");

export const fileKinds = ["file", "directory", "link", "special"] as const;

/** Output of `files.mjs list`. */
export const fileList = z.object({
  entries: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(fileKinds),
      bytes: z.number().int().nonnegative(),
      modifiedAt: z.iso.datetime(),
      /** Whether it holds credentials, so that its content is not shown. */
      secret: z.boolean(),
    }),
  ),
  truncated: z.boolean(),
});
export type FileList = z.infer<typeof fileList>;

/** Output of `files.mjs read`. */
export const readFile = z.object({
  /** Base64. */
  content: z.string(),
  hash: fileHash,
  bytes: z.number().int().nonnegative(),
  modifiedAt: z.iso.datetime(),
});
export type ReadFile = z.infer<typeof readFile>;

export const textFile = readFile.omit({ content: true }).extend({
  text: z.string(),
  /** Whether secrets were removed from the text. It can then not be edited. */
  redacted: z.boolean(),
});
export type TextFile = z.infer<typeof textFile>;

/** Replaces a file whose content has the hash. */
export const fileOrder = z.object({ path: filePath.min(1), text: z.string(), hash: fileHash });
export type FileOrder = z.infer<typeof fileOrder>;

export const writtenFile = z.object({ hash: fileHash, bytes: z.number().int().nonnegative() });
export type WrittenFile = z.infer<typeof writtenFile>;
