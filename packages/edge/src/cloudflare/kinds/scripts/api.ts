import { lenient, missing } from "@tenantry/std/difference";
import * as z from "zod";
import { apiPart, numberedPage, readBody, successResponse, wholeList } from "../../api/operations.ts";
import { scriptOperations } from "./operations.ts";
import type { ScriptRecord } from "./record.ts";
import { scriptResult, uploadResult } from "./results.ts";
import { saveSettings, settingsOf } from "./upload/changes.ts";
import { scriptMetadata } from "./upload/upload.ts";
import { scriptVersions } from "./versions.ts";

const subdomain = z.object({ enabled: z.boolean(), previews_enabled: z.boolean().exactOptional() });

export const workersScriptsApi = apiPart({
  title: "Workers scripts",
  operations: {
    "PUT /accounts/:account_id/workers/scripts/:script_name": "workers.scripts.update",
    "GET /accounts/:account_id/workers/scripts": "workers.scripts.list",
    "GET /accounts/:account_id/workers/scripts/:script_name": "workers.scripts.get",
    "DELETE /accounts/:account_id/workers/scripts/:script_name": "workers.scripts.delete",
    "PUT /accounts/:account_id/workers/scripts/:script_name/content": "workers.scripts.content.update",
    "GET /accounts/:account_id/workers/scripts/:script_name/content/v2": "workers.scripts.content.get",
    "GET /accounts/:account_id/workers/scripts/:script_name/settings": "workers.scripts.scriptAndVersionSettings.get",
    "PATCH /accounts/:account_id/workers/scripts/:script_name/settings":
      "workers.scripts.scriptAndVersionSettings.edit",
    "GET /accounts/:account_id/workers/scripts/:script_name/script-settings": "workers.scripts.settings.get",
    "PATCH /accounts/:account_id/workers/scripts/:script_name/script-settings": "workers.scripts.settings.edit",
    "GET /accounts/:account_id/workers/scripts/:script_name/subdomain": "workers.scripts.subdomain.get",
    "POST /accounts/:account_id/workers/scripts/:script_name/subdomain": "workers.scripts.subdomain.create",
    "DELETE /accounts/:account_id/workers/scripts/:script_name/subdomain": "workers.scripts.subdomain.delete",
    "GET /accounts/:account_id/workers/scripts/:script_name/versions": "workers.scripts.versions.list",
    "POST /accounts/:account_id/workers/scripts/:script_name/versions": "workers.scripts.versions.create",
    "GET /accounts/:account_id/workers/scripts/:script_name/versions/:version_id": "workers.scripts.versions.get",
    "GET /accounts/:account_id/workers/scripts/:script_name/deployments": "workers.scripts.deployments.list",
    "POST /accounts/:account_id/workers/scripts/:script_name/deployments": "workers.scripts.deployments.create",
  },
  differs: [
    missing(
      "ES modules only: no service-worker syntax, no Workers with static assets alone, and not every type of binding.",
    ),
    missing("Only the deployed version and one uploaded version are stored."),
    missing("`subdomain` is stored and serves nothing."),
    lenient(
      "Modules are parsed at the upload, but their global scope runs at the first request: a script that throws there, or lacks an exported class, is accepted.",
      "A run of workerd for each upload would take longer than the upload.",
      "scriptStartup",
    ),
  ],
  handlers: (context) => {
    const { limits, store } = context;
    const scripts = scriptOperations(context);
    const versions = scriptVersions(context);
    const setSubdomain = (script: ScriptRecord, enabled: boolean, previews_enabled: boolean): Response => {
      store.put("script", { ...script, subdomain: { enabled, previews_enabled } });
      return successResponse({ enabled, previews_enabled });
    };
    const scriptSettings = (script: ScriptRecord) => {
      const { logpush = false, observability = { enabled: false }, tail_consumers = [] } = settingsOf(script);
      return { logpush, observability, tail_consumers, tags: script.tags };
    };
    return {
      "PUT /accounts/:account_id/workers/scripts/:script_name": async (call) =>
        successResponse(uploadResult(await scripts.upload(call, limits.valueOf("scriptName")))),
      "GET /accounts/:account_id/workers/scripts": ({ query }) => {
        const answers = store
          .list("script")
          .filter((script) => script.namespace === undefined)
          .map(scriptResult);
        return query.has("page") || query.has("per_page") ? numberedPage(answers, query) : wholeList(answers);
      },
      "GET /accounts/:account_id/workers/scripts/:script_name": scripts.getContent,
      "DELETE /accounts/:account_id/workers/scripts/:script_name": (call) => {
        scripts.delete(call);
        store.delete("schedules", call.params.script_name);
        return successResponse(null);
      },
      "PUT /accounts/:account_id/workers/scripts/:script_name/content": async (call) =>
        successResponse(scriptResult(await scripts.putContent(call))),
      "GET /accounts/:account_id/workers/scripts/:script_name/content/v2": scripts.getContent,
      "GET /accounts/:account_id/workers/scripts/:script_name/settings": scripts.getSettings,
      "PATCH /accounts/:account_id/workers/scripts/:script_name/settings": scripts.patchSettings,
      "GET /accounts/:account_id/workers/scripts/:script_name/script-settings": (call) =>
        successResponse(scriptSettings(scripts.find(call))),
      "PATCH /accounts/:account_id/workers/scripts/:script_name/script-settings": (call) => {
        const script = scripts.find(call);
        return successResponse(
          scriptSettings(saveSettings(context, script, readBody(call, scriptMetadata, 10021), {})),
        );
      },
      "GET /accounts/:account_id/workers/scripts/:script_name/subdomain": (call) =>
        successResponse(scripts.find(call).subdomain),
      "POST /accounts/:account_id/workers/scripts/:script_name/subdomain": (call) => {
        const { enabled, previews_enabled = enabled } = readBody(call, subdomain, 10021);
        return setSubdomain(scripts.find(call), enabled, previews_enabled);
      },
      "DELETE /accounts/:account_id/workers/scripts/:script_name/subdomain": (call) =>
        setSubdomain(scripts.find(call), false, false),
      "GET /accounts/:account_id/workers/scripts/:script_name/versions": versions.list,
      "POST /accounts/:account_id/workers/scripts/:script_name/versions": versions.upload,
      "GET /accounts/:account_id/workers/scripts/:script_name/versions/:version_id": versions.get,
      "GET /accounts/:account_id/workers/scripts/:script_name/deployments": versions.deployments,
      "POST /accounts/:account_id/workers/scripts/:script_name/deployments": versions.deploy,
    };
  },
});
