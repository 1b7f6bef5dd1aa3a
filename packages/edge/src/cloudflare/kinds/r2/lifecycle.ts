import type { Log } from "@tenantry/std/log";
import * as z from "zod";
import type { Store } from "#account/store.ts";
import type { BucketPort, RuntimePort } from "../../api/runtime-port.ts";

/** Cloudflare deletes "typically within 24 hours": developers.cloudflare.com/r2/buckets/object-lifecycles/ */
const INTERVAL_MS = 3_600_000;
const PAGE = 1_000;

const condition = z.discriminatedUnion("type", [
  z.object({ type: z.literal("Age"), maxAge: z.number() }),
  z.object({ type: z.literal("Date"), date: z.string() }),
]);
/** Other transitions are not applied. */
const deletion = z.object({
  enabled: z.literal(true),
  conditions: z.object({ prefix: z.string().default("") }),
  deleteObjectsTransition: z.object({ condition }),
});

/** Deletes objects that a rule of their bucket has expired. @param now milliseconds since the epoch @returns keys as `bucket/key` */
export async function deleteExpired(
  store: Store,
  runtime: Pick<RuntimePort, "bucket">,
  now: number,
): Promise<string[]> {
  const deleted: string[] = [];
  for (const { id, lifecycle_rules } of store.list("bucket")) {
    for (const given of lifecycle_rules) {
      const { data } = deletion.safeParse(given);
      if (data === undefined) continue;
      const bucket = runtime.bucket(id);
      const { prefix } = data.conditions;
      for (const key of await expiredKeys(bucket, prefix, data.deleteObjectsTransition.condition, now)) {
        await bucket.delete(key);
        deleted.push(`${id}/${key}`);
      }
    }
  }
  return deleted;
}

async function expiredKeys(
  bucket: BucketPort,
  prefix: string,
  when: z.infer<typeof condition>,
  now: number,
): Promise<string[]> {
  if (when.type === "Date" && Date.parse(when.date) > now) return [];
  const keys: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await bucket.list({ limit: PAGE, prefix, cursor });
    const expired = page.objects.filter(
      ({ last_modified }) => when.type === "Date" || Date.parse(last_modified) + when.maxAge * 1000 <= now,
    );
    keys.push(...expired.map(({ key }) => key));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return keys;
}

/** Deletes expired objects every hour. @returns a function that stops it */
export function startLifecycle(store: Store, runtime: Pick<RuntimePort, "bucket">, log: Log): () => void {
  const run = () =>
    deleteExpired(store, runtime, Date.now()).then(
      (deleted) => deleted.length > 0 && log("r2", "expired", { objects: deleted.length }),
      (error: unknown) => log("r2", "lifecycle-failed", { error: String(error) }),
    );
  const timer = setInterval(() => void run(), INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
