import type { Store } from "#account/store.ts";
import type { ApiContext } from "../../api/context.ts";
import { bindingResult } from "./bindings.ts";
import type { ScriptRecord } from "./record.ts";
import { settingsOf } from "./upload/changes.ts";

export function scriptResult(script: ScriptRecord) {
  return {
    id: script.name,
    tag: script.tag,
    etag: script.etag,
    has_assets: script.assets !== undefined,
    has_modules: true,
    compatibility_date: script.compatibility_date,
    compatibility_flags: script.compatibility_flags,
    migration_tag: script.migration_tag,
    tags: script.tags,
    usage_model: "standard",
    last_deployed_from: script.deployed_from ?? "api",
    ...settingsOf(script),
    created_on: script.created_on,
    modified_on: script.modified_on,
  };
}

export function settingsResult(context: ApiContext, script: ScriptRecord) {
  return {
    logpush: false,
    usage_model: "standard",
    tail_consumers: [],
    observability: { enabled: false },
    ...settingsOf(script),
    compatibility_date: script.compatibility_date,
    compatibility_flags: script.compatibility_flags,
    limits: script.limits,
    tags: script.tags,
    ...(script.containers.length === 0 ? {} : { containers: script.containers }),
    bindings: script.bindings.map((binding) => bindingResult(context, script, binding)),
  };
}

/** wrangler reads `deployment_id`. */
export function uploadResult(script: ScriptRecord) {
  return { ...scriptResult(script), deployment_id: script.version_id, startup_time_ms: 0 };
}

/** The modules as parts of a form, with the name of the entry point in a header. */
export function contentResponse(store: Store, script: ScriptRecord): Response {
  const form = new FormData();
  for (const { name, type, sha256 } of script.modules) {
    form.append(name, new File([new Uint8Array(store.readBlob(sha256))], name, { type }));
  }
  const headers = {
    ETag: `"${script.etag}"`,
    "cf-entrypoint": script.main_module,
    "Last-Modified": new Date(script.modified_on).toUTCString(),
  };
  return new Response(form, { headers });
}
