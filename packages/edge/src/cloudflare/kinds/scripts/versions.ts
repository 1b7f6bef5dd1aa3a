import * as z from "zod";
import type { ApiContext } from "../../api/context.ts";
import { ApiError, type Call, readBody, successResponse } from "../../api/operations.ts";
import { findScript } from "./lookup.ts";
import type { ScriptRecord } from "./record.ts";
import { settingsResult } from "./results.ts";
import { applyUpload } from "./upload/changes.ts";
import { readUpload } from "./upload/upload.ts";

type ScriptCall = Call<"script_name">;

const deploymentBody = z.looseObject({
  strategy: z.literal("percentage"),
  versions: z
    .array(z.looseObject({ version_id: z.string(), percentage: z.literal(100, "must be 100 on the local edge") }))
    .length(1, "must be one on the local edge"),
});

function metadataOf(script: ScriptRecord) {
  return { created_on: script.modified_on, modified_on: script.modified_on, source: script.deployed_from ?? "api" };
}

function deploymentOf(script: ScriptRecord) {
  return {
    id: script.version_id,
    created_on: script.modified_on,
    source: script.deployed_from ?? "api",
    strategy: "percentage",
    versions: [{ version_id: script.version_id, percentage: 100 }],
  };
}

/** Newest first. */
const versionsOf = (script: ScriptRecord): ScriptRecord[] =>
  [script.next, script].flatMap((one) => (one === undefined ? [] : [one as ScriptRecord]));

function versionOf(script: ScriptRecord) {
  return {
    id: script.version_id,
    number: script.version_number,
    metadata: metadataOf(script),
    resources: {
      script: { etag: script.etag, last_deployed_from: script.deployed_from ?? "api" },
      script_runtime: {
        compatibility_date: script.compatibility_date,
        compatibility_flags: script.compatibility_flags,
        limits: script.limits,
        usage_model: "standard",
      },
    },
  };
}

function pageResponse(items: unknown[], name: "items" | "deployments", query: URLSearchParams): Response {
  const number = Number(query.get("page") ?? "1");
  const info = { page: number, per_page: 10, count: items.length, total_count: items.length };
  return successResponse({ [name]: number > 1 ? [] : items }, info);
}

export function scriptVersions(context: ApiContext) {
  const { store } = context;
  const find = (call: ScriptCall): ScriptRecord => findScript(store, call.params);
  return {
    list: (call: ScriptCall): Response => {
      const script = find(call);
      const items = versionsOf(script).map((one) => ({
        id: one.version_id,
        number: one.version_number,
        metadata: metadataOf(one),
      }));
      return pageResponse(items, "items", call.query);
    },
    get: (call: Call<"script_name" | "version_id">): Response => {
      const script = find(call);
      const found = versionsOf(script).find((one) => one.version_id === call.params.version_id);
      if (found === undefined) throw new ApiError(404, 100146, "Version not found.");
      const version = versionOf(found);
      const { bindings } = settingsResult(context, found);
      return successResponse({ ...version, resources: { ...version.resources, bindings } });
    },
    /** Stores the next version, and replaces an undeployed one. */
    upload: async (call: ScriptCall): Promise<Response> => {
      const upload = await readUpload(context, call);
      const { next: _, ...live } = find(call);
      const next = applyUpload(context, call, upload);
      if (next.migration_tag !== live.migration_tag) {
        throw new ApiError(400, 10211, "A migration needs a deployment: a version upload cannot apply it.");
      }
      store.put("script", { ...live, next });
      return successResponse({ ...versionOf(next), startup_time_ms: 0 });
    },
    deployments: (call: ScriptCall): Response => pageResponse([deploymentOf(find(call))], "deployments", call.query),
    deploy: (call: ScriptCall): Response => {
      const script = find(call);
      const { versions } = readBody(call, deploymentBody, 10021);
      const [wanted] = versions;
      const next = script.next as ScriptRecord | undefined;
      const live = [script, next].find((one) => one?.version_id === wanted?.version_id);
      if (live === undefined) throw new ApiError(404, 10143, `Version ${wanted?.version_id} does not exist.`);
      // Settings outside of versions may have changed since the upload.
      if (live === next) store.put("script", { ...next, tags: script.tags, subdomain: script.subdomain });
      return successResponse(deploymentOf(live));
    },
  };
}
