import { missing } from "@tenantry/std/difference";
import * as z from "zod";
import { ApiError, apiPart, readBody, successResponse, wholeList } from "../../api/operations.ts";
import { findDispatchNamespace } from "../dispatch-namespaces/api.ts";
import { scriptOperations } from "../scripts/operations.ts";
import type { ScriptRecord } from "../scripts/record.ts";
import { scriptResult, settingsResult, uploadResult } from "../scripts/results.ts";

const tag = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[^,&]+$/, "must have neither , nor &");
const longestName = 255;

export const namespacedScriptsApi = apiPart({
  title: "Scripts in a dispatch namespace",
  operations: {
    "PUT /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name":
      "workersForPlatforms.dispatch.namespaces.scripts.update",
    "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts": "-",
    "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name":
      "workersForPlatforms.dispatch.namespaces.scripts.get",
    "DELETE /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name":
      "workersForPlatforms.dispatch.namespaces.scripts.delete",
    "PUT /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/content":
      "workersForPlatforms.dispatch.namespaces.scripts.content.update",
    "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/content":
      "workersForPlatforms.dispatch.namespaces.scripts.content.get",
    "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/settings":
      "workersForPlatforms.dispatch.namespaces.scripts.settings.get",
    "PATCH /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/settings":
      "workersForPlatforms.dispatch.namespaces.scripts.settings.edit",
    "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/bindings":
      "workersForPlatforms.dispatch.namespaces.scripts.bindings.get",
    "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/tags":
      "workersForPlatforms.dispatch.namespaces.scripts.tags.list",
    "PUT /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/tags":
      "workersForPlatforms.dispatch.namespaces.scripts.tags.update",
    "PUT /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/tags/:tag": "-",
    "DELETE /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/tags/:tag":
      "workersForPlatforms.dispatch.namespaces.scripts.tags.delete",
  },
  differs: [missing("As for scripts of the account.")],
  handlers: (context) => {
    const { limits, store } = context;
    const scripts = scriptOperations(context);
    const toResult = (script: ScriptRecord) => ({
      created_on: script.created_on,
      modified_on: script.modified_on,
      dispatch_namespace: script.namespace,
      script: scriptResult(script),
    });
    const setTags = (script: ScriptRecord, tags: string[]): string[] => {
      const unique = [...new Set(tags)];
      limits.check("namespacedScriptTags", unique.length);
      store.put("script", { ...script, tags: unique });
      return unique;
    };
    return {
      "PUT /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name": async (
        call,
      ) => {
        findDispatchNamespace(store, call.params.dispatch_namespace);
        return successResponse(uploadResult(await scripts.upload(call, longestName)));
      },
      "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts": ({ params, query }) => {
        const { id } = findDispatchNamespace(store, params.dispatch_namespace);
        const tags = (query.get("tags") ?? "").split(",").filter((one) => one !== "");
        const wanted = tags.map((one) => ({ tag: one.replace(/:(yes|no)$/, ""), present: !one.endsWith(":no") }));
        const found = store
          .list("script")
          .filter((script) => script.namespace === id)
          .filter((script) => wanted.every((one) => script.tags.includes(one.tag) === one.present));
        return wholeList(found.map(toResult));
      },
      "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name": (call) =>
        successResponse(toResult(scripts.find(call))),
      "DELETE /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name": (call) => {
        scripts.delete(call);
        return successResponse(null);
      },
      "PUT /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/content": async (
        call,
      ) => successResponse(scriptResult(await scripts.putContent(call))),
      "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/content":
        scripts.getContent,
      "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/settings":
        scripts.getSettings,
      "PATCH /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/settings":
        scripts.patchSettings,
      "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/bindings": (
        call,
      ) => wholeList(settingsResult(context, scripts.find(call)).bindings),
      "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/tags": (call) =>
        wholeList(scripts.find(call).tags),
      "PUT /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/tags": (call) => {
        const script = scripts.find(call);
        return wholeList(setTags(script, readBody(call, z.array(tag), 10021)));
      },
      "PUT /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/tags/:tag": (
        call,
      ) => {
        const script = scripts.find(call);
        setTags(script, [...script.tags, call.params.tag]);
        return successResponse(null);
      },
      "DELETE /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/tags/:tag": (
        call,
      ) => {
        const script = scripts.find(call);
        if (!script.tags.includes(call.params.tag)) throw new ApiError(404, 10021, `Tag ${call.params.tag} not found.`);
        setTags(
          script,
          script.tags.filter((one) => one !== call.params.tag),
        );
        return successResponse(null);
      },
    };
  },
});
