/** Whether the tenant's bucket holds a backup (spec: "RestoreStatus"). */
const PREFIX = "backups/";
const MANIFEST = "/manifest.json";

/** A backup is complete when its manifest, written last, lies in the bucket. */
export async function hasCompleteBackup(bucket: R2Bucket): Promise<boolean> {
  let cursor: string | undefined;
  do {
    const page = await bucket.list({ prefix: PREFIX, ...(cursor === undefined ? {} : { cursor }) });
    if (page.objects.some(({ key }) => key.endsWith(MANIFEST))) return true;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
  return false;
}
