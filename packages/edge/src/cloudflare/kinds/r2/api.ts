import { missing } from "@tenantry/std/difference";
import * as z from "zod";
import { currentTimestamp } from "#account/identifiers.ts";
import {
  ApiError,
  apiPart,
  cursorPage,
  pageLimit,
  readBody,
  recordFinder,
  successResponse,
} from "../../api/operations.ts";
import type { BucketRecord } from "./record.ts";

const storageClass = z.enum(["Standard", "InfrequentAccess"]);
const newBucket = z.looseObject({
  name: z.string(),
  locationHint: z.string().exactOptional(),
  storageClass: storageClass.default("Standard"),
});
const lifecycle = z.looseObject({
  rules: z
    .array(
      z.looseObject({
        id: z.string().min(1),
        enabled: z.boolean(),
        conditions: z.looseObject({ prefix: z.string().exactOptional() }),
      }),
    )
    .default([]),
});
const invalid = 10040;

export const findBucket = recordFinder("bucket", 10006, "The specified bucket does not exist.");

function checkJurisdiction(headers: Headers): void {
  const jurisdiction = headers.get("cf-r2-jurisdiction") ?? "default";
  if (jurisdiction !== "default") {
    throw new ApiError(501, 7000, `Not supported by the local edge: R2 jurisdiction ${jurisdiction}`);
  }
}

export const r2BucketsApi = apiPart({
  title: "R2 buckets",
  operations: {
    "POST /accounts/:account_id/r2/buckets": "r2.buckets.create",
    "GET /accounts/:account_id/r2/buckets": "r2.buckets.list",
    "GET /accounts/:account_id/r2/buckets/:bucket_name": "r2.buckets.get",
    "PATCH /accounts/:account_id/r2/buckets/:bucket_name": "r2.buckets.edit",
    "DELETE /accounts/:account_id/r2/buckets/:bucket_name": "r2.buckets.delete",
    "PUT /accounts/:account_id/r2/buckets/:bucket_name/lifecycle": "r2.buckets.lifecycle.update",
    "GET /accounts/:account_id/r2/buckets/:bucket_name/lifecycle": "r2.buckets.lifecycle.get",
    "GET /accounts/:account_id/r2/buckets/:bucket_name/objects": "r2.buckets.objects.list",
    "DELETE /accounts/:account_id/r2/buckets/:bucket_name/objects/:key{.+}": "r2.buckets.objects.delete",
  },
  differs: [
    missing("One jurisdiction."),
    missing("Lifecycle rules delete objects every hour; they abort no uploads and change no storage class."),
    missing("The API lists and deletes objects; it does not read or write them."),
  ],
  handlers: ({ limits, store, runtime, accountId }) => {
    const find = (call: { headers: Headers; params: { bucket_name: string } }): BucketRecord => {
      checkJurisdiction(call.headers);
      return findBucket(store, call.params.bucket_name);
    };
    const toResult = ({ id, creation_date, location, storage_class }: BucketRecord) => ({
      name: id,
      creation_date,
      location,
      storage_class,
      jurisdiction: "default",
    });
    return {
      "POST /accounts/:account_id/r2/buckets": (call) => {
        checkJurisdiction(call.headers);
        const body = readBody(call, newBucket, invalid);
        if (!/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(body.name)) {
          throw new ApiError(400, 10005, "The specified bucket name is not valid.");
        }
        if (store.get("bucket", body.name) !== undefined) {
          throw new ApiError(409, 10004, "The bucket you tried to create already exists, and you own it.");
        }
        limits.check("buckets", store.list("bucket").length + 1);
        const bucket: BucketRecord = {
          id: body.name,
          creation_date: currentTimestamp(),
          location: body.locationHint ?? "weur",
          storage_class: body.storageClass,
          lifecycle_rules: [],
        };
        store.put("bucket", bucket);
        return successResponse(toResult(bucket));
      },
      "GET /accounts/:account_id/r2/buckets": ({ headers, query }) => {
        checkJurisdiction(headers);
        const wanted = query.get("name_contains") ?? "";
        const after = query.get("start_after") ?? "";
        const page = cursorPage(
          store.list("bucket").filter((bucket) => bucket.id.includes(wanted) && bucket.id > after),
          (bucket) => bucket.id,
          { limit: pageLimit(query, "per_page", 20, 1000), cursor: query.get("cursor") },
        );
        return successResponse({ buckets: page.items.map(toResult) }, page.info);
      },
      "GET /accounts/:account_id/r2/buckets/:bucket_name": (call) => successResponse(toResult(find(call))),
      "PATCH /accounts/:account_id/r2/buckets/:bucket_name": (call) => {
        const bucket = find(call);
        const wanted = storageClass.safeParse(call.headers.get("cf-r2-storage-class"));
        if (!wanted.success)
          throw new ApiError(400, invalid, "cf-r2-storage-class: must be Standard or InfrequentAccess");
        const changed = { ...bucket, storage_class: wanted.data };
        store.put("bucket", changed);
        return successResponse(toResult(changed));
      },
      "DELETE /accounts/:account_id/r2/buckets/:bucket_name": async (call) => {
        const { id } = find(call);
        const { objects } = await runtime.bucket(id).list({ limit: 1 });
        if (objects.length > 0) {
          const message = `The bucket you tried to delete (account '${accountId}', bucket '${id}') is not empty.`;
          throw new ApiError(409, 10008, message);
        }
        store.delete("bucket", id);
        return successResponse({});
      },
      "PUT /accounts/:account_id/r2/buckets/:bucket_name/lifecycle": (call) => {
        const bucket = find(call);
        const { rules } = readBody(call, lifecycle, invalid);
        limits.check("bucketLifecycleRules", rules.length);
        if (new Set(rules.map((rule) => rule.id)).size < rules.length) {
          throw new ApiError(400, 10061, "Invalid Lifecycle Configuration: Rule IDs must be unique");
        }
        store.put("bucket", { ...bucket, lifecycle_rules: rules });
        return successResponse({});
      },
      "GET /accounts/:account_id/r2/buckets/:bucket_name/lifecycle": (call) =>
        successResponse({ rules: find(call).lifecycle_rules }),
      "GET /accounts/:account_id/r2/buckets/:bucket_name/objects": async (call) => {
        const { id } = find(call);
        const { query } = call;
        const limit = pageLimit(query, "per_page", 1000, 1000);
        const [prefix, cursor] = [query.get("prefix") ?? undefined, query.get("cursor") ?? undefined];
        const page = await runtime.bucket(id).list({ limit, prefix, cursor });
        const objects = page.objects.map((object) => ({
          ...object,
          http_metadata: {},
          custom_metadata: {},
          storage_class: "Standard",
          ssec: false,
        }));
        return successResponse(objects, { count: objects.length, per_page: limit, cursor: page.cursor });
      },
      "DELETE /accounts/:account_id/r2/buckets/:bucket_name/objects/:key{.+}": async (call) => {
        const { id } = find(call);
        await runtime.bucket(id).delete(call.params.key);
        return successResponse({ key: call.params.key });
      },
    };
  },
});
