import * as z from "zod";
import { hexId } from "#account/identifiers.ts";
import { ApiError, apiPart, numberedPage, readBody, recordFinder, successResponse } from "../../api/operations.ts";
import type { KvNamespaceRecord } from "./record.ts";

const namespaceBody = z.looseObject({ title: z.string().min(1).max(512) });
const invalid = 10019;

export const findKvNamespace = recordFinder("kv_namespace", 10013, "get namespace: 'namespace not found'");

export const kvNamespacesApi = apiPart({
  title: "KV namespaces",
  operations: {
    "POST /accounts/:account_id/storage/kv/namespaces": "kv.namespaces.create",
    "GET /accounts/:account_id/storage/kv/namespaces": "kv.namespaces.list",
    "GET /accounts/:account_id/storage/kv/namespaces/:namespace_id": "kv.namespaces.get",
    "PUT /accounts/:account_id/storage/kv/namespaces/:namespace_id": "kv.namespaces.update",
    "DELETE /accounts/:account_id/storage/kv/namespaces/:namespace_id": "kv.namespaces.delete",
  },
  handlers: ({ limits, store, runtime }) => {
    const checkTitle = (title: string, id: string): void => {
      if (store.list("kv_namespace").some((other) => other.title === title && other.id !== id)) {
        throw new ApiError(400, 10014, "a namespace with this account ID and title already exists");
      }
    };
    const toResult = (namespace: KvNamespaceRecord) => ({ ...namespace, supports_url_encoding: true });
    return {
      "POST /accounts/:account_id/storage/kv/namespaces": (call) => {
        const { title } = readBody(call, namespaceBody, invalid);
        const namespace = { id: hexId(), title };
        checkTitle(title, namespace.id);
        limits.check("kvNamespaces", store.list("kv_namespace").length + 1);
        store.put("kv_namespace", namespace);
        return successResponse(toResult(namespace));
      },
      "GET /accounts/:account_id/storage/kv/namespaces": ({ query }) => {
        const field = query.get("order") === "id" ? "id" : "title";
        const sign = query.get("direction") === "desc" ? -1 : 1;
        const sorted = store.list("kv_namespace").toSorted((a, b) => (a[field] < b[field] ? -sign : sign));
        return numberedPage(sorted.map(toResult), query);
      },
      "GET /accounts/:account_id/storage/kv/namespaces/:namespace_id": ({ params }) =>
        successResponse(toResult(findKvNamespace(store, params.namespace_id))),
      "PUT /accounts/:account_id/storage/kv/namespaces/:namespace_id": (call) => {
        const { id } = findKvNamespace(store, call.params.namespace_id);
        const { title } = readBody(call, namespaceBody, invalid);
        checkTitle(title, id);
        const namespace = { id, title };
        store.put("kv_namespace", namespace);
        return successResponse(toResult(namespace));
      },
      "DELETE /accounts/:account_id/storage/kv/namespaces/:namespace_id": async ({ params }) => {
        const { id } = findKvNamespace(store, params.namespace_id);
        const kv = runtime.kv(id);
        for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
          const page = await kv.list({ limit: 1000, cursor });
          for (const { name } of page.keys) await kv.delete(name);
          cursor = page.cursor;
        }
        store.delete("kv_namespace", id);
        return successResponse({});
      },
    };
  },
});
