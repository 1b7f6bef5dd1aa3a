/** Bytes of a backup or a restore that passed between container and bucket, all of them. */
export interface Transfer {
  direction: "upload" | "download";
  operation: "backup" | "restore";
  bytes: number;
}
