/** Cloudflare: "R2 event notifications". A `put` adds rules. */
import { missing, undocumented } from "@tenantry/std/difference";
import * as z from "zod";
import { currentTimestamp, uuid } from "#account/identifiers.ts";
import { ApiError, apiPart, readBody, successResponse } from "../../api/operations.ts";
import { findQueue } from "../queues/api.ts";
import { findBucket } from "../r2/api.ts";
import type { EventNotificationRule, EventNotificationsRecord } from "./record.ts";

const invalid = 11001;
const actions = ["PutObject", "CopyObject", "DeleteObject", "CompleteMultipartUpload", "LifecycleDeletion"] as const;
const newRules = z.object({
  rules: z
    .array(
      z.object({
        actions: z.array(z.enum(actions)).min(1),
        prefix: z.string().exactOptional(),
        suffix: z.string().exactOptional(),
        description: z.string().exactOptional(),
      }),
    )
    .min(1),
});
const someRules = z.object({ ruleIds: z.array(z.string()).exactOptional() });

export const eventNotificationsApi = apiPart({
  title: "R2 event notifications",
  operations: {
    "GET /accounts/:account_id/event_notifications/r2/:bucket_name/configuration": "r2.buckets.eventNotifications.list",
    "GET /accounts/:account_id/event_notifications/r2/:bucket_name/configuration/queues/:queue_id":
      "r2.buckets.eventNotifications.get",
    "PUT /accounts/:account_id/event_notifications/r2/:bucket_name/configuration/queues/:queue_id":
      "r2.buckets.eventNotifications.update",
    "DELETE /accounts/:account_id/event_notifications/r2/:bucket_name/configuration/queues/:queue_id":
      "r2.buckets.eventNotifications.delete",
  },
  differs: [missing("Rules are stored; nothing is sent to the queue."), undocumented("Codes of refused rules.")],
  handlers: ({ store }) => {
    store.onChange(({ kind, id, operation }) => {
      if (operation !== "delete" || (kind !== "bucket" && kind !== "queue")) return;
      for (const one of store.list("r2_event_notifications")) {
        if ((kind === "bucket" ? one.bucket : one.queue_id) === id) store.delete("r2_event_notifications", one.id);
      }
    });
    const ofBucket = (bucket: string) => store.list("r2_event_notifications").filter((one) => one.bucket === bucket);
    const toResult = ({ queue_id, rules }: EventNotificationsRecord) => ({
      queueId: queue_id,
      queueName: findQueue(store, queue_id).queue_name,
      rules,
    });
    const find = ({ bucket_name, queue_id }: { bucket_name: string; queue_id: string }): EventNotificationsRecord => {
      const { id } = findBucket(store, bucket_name);
      const found = store.get("r2_event_notifications", `${id}/${queue_id}`);
      if (found === undefined) throw new ApiError(404, 11015, "The queue has no notifications for this bucket.");
      return found;
    };
    return {
      "GET /accounts/:account_id/event_notifications/r2/:bucket_name/configuration": ({ params }) => {
        const { id } = findBucket(store, params.bucket_name);
        return successResponse({ bucketName: id, queues: ofBucket(id).map(toResult) });
      },
      "GET /accounts/:account_id/event_notifications/r2/:bucket_name/configuration/queues/:queue_id": ({ params }) =>
        successResponse(toResult(find(params))),
      "PUT /accounts/:account_id/event_notifications/r2/:bucket_name/configuration/queues/:queue_id": (call) => {
        const { id: bucket } = findBucket(store, call.params.bucket_name);
        const { id: queue_id } = findQueue(store, call.params.queue_id);
        const added: EventNotificationRule[] = [];
        const present = ofBucket(bucket).flatMap(({ rules }) => rules);
        for (const rule of readBody(call, newRules, invalid).rules) {
          if ([...present, ...added].some((other) => scopesOverlap(rule, other))) {
            const message = "The rule overlaps with another rule of this bucket: both would match the same event.";
            throw new ApiError(409, 11020, message);
          }
          added.push({ ...rule, ruleId: uuid(), createdAt: currentTimestamp() });
        }
        const id = `${bucket}/${queue_id}`;
        const rules = [...(store.get("r2_event_notifications", id)?.rules ?? []), ...added];
        store.put("r2_event_notifications", { id, bucket, queue_id, rules });
        return successResponse(null);
      },
      "DELETE /accounts/:account_id/event_notifications/r2/:bucket_name/configuration/queues/:queue_id": (call) => {
        const record = find(call.params);
        const { ruleIds } = readBody(call, someRules, invalid);
        const rules = record.rules.filter(({ ruleId }) => ruleIds !== undefined && !ruleIds.includes(ruleId));
        if (rules.length === 0) store.delete("r2_event_notifications", record.id);
        else store.put("r2_event_notifications", { ...record, rules });
        return successResponse(null);
      },
    };
  },
});

type Scope = Pick<EventNotificationRule, "actions" | "prefix" | "suffix">;

/** Whether both match the same event. */
function scopesOverlap(one: Scope, other: Scope): boolean {
  const within = (a = "", b = "") => a.startsWith(b) || b.startsWith(a);
  const endsWithin = (a = "", b = "") => a.endsWith(b) || b.endsWith(a);
  return (
    one.actions.some((action) => other.actions.includes(action)) &&
    within(one.prefix, other.prefix) &&
    endsWithin(one.suffix, other.suffix)
  );
}
