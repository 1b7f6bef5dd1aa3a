/** Operations that scripts of the account and of dispatch namespaces share. */
import type { ApiContext } from "../../api/context.ts";
import { ApiError, type Call, readBody, successResponse, validateInput } from "../../api/operations.ts";
import { findScript, type ScriptParameters } from "./lookup.ts";
import type { ScriptRecord } from "./record.ts";
import { contentResponse, settingsResult } from "./results.ts";
import { saveContent, saveSettings, saveUpload } from "./upload/changes.ts";
import { readForm, readObject } from "./upload/multipart.ts";
import { readUpload, scriptMetadata } from "./upload/upload.ts";

type ScriptCall = Pick<Call, "body" | "headers" | "query"> & { params: ScriptParameters };

export function scriptOperations(context: ApiContext) {
  const { store } = context;
  const find = (call: ScriptCall): ScriptRecord => findScript(store, call.params);
  const isConsumer = (script: ScriptRecord): boolean =>
    store.list("queue_consumer").some((consumer) => consumer.script_name === script.name);
  return {
    find,
    upload: async (call: ScriptCall, longestName: number): Promise<ScriptRecord> => {
      const name = call.params.script_name;
      if (name.length > longestName || !/^[a-z0-9_][a-z0-9_-]*$/.test(name)) {
        throw new ApiError(400, 10016, `Invalid Worker name: ${name}`);
      }
      return saveUpload(context, call, await readUpload(context, call));
    },
    putContent: async (call: ScriptCall): Promise<ScriptRecord> => {
      const upload = await readUpload(context, call);
      return saveContent(context, find(call), upload);
    },
    getContent: (call: ScriptCall): Response => contentResponse(store, find(call)),
    getSettings: (call: ScriptCall): Response => successResponse(settingsResult(context, find(call))),
    patchSettings: async (call: ScriptCall): Promise<Response> => {
      const isJson = (call.headers.get("Content-Type") ?? "").startsWith("application/json");
      const change = isJson
        ? readBody(call, scriptMetadata, 10021)
        : validateInput((await readObject(await readForm(call), "settings")) ?? {}, scriptMetadata, 10021);
      return successResponse(settingsResult(context, saveSettings(context, find(call), change)));
    },
    delete: (call: ScriptCall): void => {
      const script = find(call);
      const isForced = call.query.get("force") === "true";
      const consumes = script.namespace === undefined && isConsumer(script);
      if (consumes && !isForced) {
        const remedy = "Remove it from the Queue's consumers first, then retry.";
        throw new ApiError(400, 10064, `Cannot delete this Worker as it is a consumer for a Queue. ${remedy}`);
      }
      const users = store
        .list("script")
        .filter((other) => other.id !== script.id && other.namespace === script.namespace)
        .filter((other) =>
          other.bindings.some((one) => one.script_name === script.name || one.service === script.name),
        );
      if (users.length > 0 && !isForced) {
        const names = users.map((user) => user.name).join(", ");
        const message = `The Worker ${script.name} is still bound to by ${names}; delete with force=true.`;
        throw new ApiError(400, 10064, message);
      }
      store.delete("script", script.id);
    },
  };
}
