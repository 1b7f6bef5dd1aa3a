/** Accesses a bucket by the protocol of a Worker's binding. All methods throw the store's error message. */
import * as z from "zod";
import { asciiJson } from "#http/ascii-json.ts";
import type { Storage, StorageAnswer } from "#runtime/storage.ts";
import type { BucketPort } from "../../api/runtime-port.ts";

const REQUEST_HEADER = "cf-r2-request";
const METADATA_SIZE_HEADER = "cf-r2-metadata-size";
const ERROR_HEADER = "cf-r2-error";

const page = z.object({
  objects: z.array(
    z.object({ name: z.string(), size: z.coerce.number(), etag: z.string(), uploaded: z.coerce.number() }),
  ),
  truncated: z.boolean(),
  cursor: z.string().optional(),
});
const refusal = z.object({ message: z.string() });

export function bucketPort(storage: Storage, name: string): BucketPort {
  return {
    async list(options) {
      const headers = { [REQUEST_HEADER]: asciiJson({ version: 1, method: "list", ...options }) };
      const answer = requireAccepted(await storage.fetch("r2", name, { method: "GET", path: "/", headers }));
      const size = z.coerce.number().parse(answer.headers[METADATA_SIZE_HEADER]);
      const read = page.parse(JSON.parse(answer.body.subarray(0, size).toString("utf8")));
      return {
        objects: read.objects.map((object) => ({
          key: object.name,
          size: object.size,
          etag: object.etag,
          last_modified: new Date(object.uploaded).toISOString(),
        })),
        cursor: read.truncated ? read.cursor : undefined,
      };
    },
    async delete(key) {
      const ask = Buffer.from(JSON.stringify({ version: 1, method: "delete", object: key }));
      const headers = { [METADATA_SIZE_HEADER]: String(ask.byteLength) };
      requireAccepted(await storage.fetch("r2", name, { method: "PUT", path: "/", headers, body: ask }));
    },
  };
}

function requireAccepted(answer: StorageAnswer): StorageAnswer {
  if (answer.status < 400) return answer;
  const header = answer.headers[ERROR_HEADER];
  const error = typeof header === "string" ? refusal.safeParse(JSON.parse(header)) : undefined;
  throw new Error(
    error?.success === true ? error.data.message : `The object store responded with status ${answer.status}.`,
  );
}
