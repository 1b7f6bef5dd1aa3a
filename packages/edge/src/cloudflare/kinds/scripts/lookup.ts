import type { Store } from "#account/store.ts";
import { ApiError } from "../../api/operations.ts";
import { findDispatchNamespace } from "../dispatch-namespaces/api.ts";
import type { ScriptRecord } from "./record.ts";

export interface ScriptParameters {
  script_name: string;
  dispatch_namespace?: string;
}

/** Returns the store's id of a script. */
export function scriptId({ script_name, dispatch_namespace }: ScriptParameters): string {
  return dispatch_namespace === undefined ? script_name : `${dispatch_namespace}/${script_name}`;
}

/** @throws ApiError 404 when the script or its dispatch namespace does not exist */
export function findScript(store: Store, params: ScriptParameters): ScriptRecord {
  if (params.dispatch_namespace !== undefined) findDispatchNamespace(store, params.dispatch_namespace);
  const script = store.get("script", scriptId(params));
  if (script === undefined && params.dispatch_namespace !== undefined) {
    throw new ApiError(404, 10092, "workers.api.error.script_not_found_in_dispatch_namespace");
  }
  if (script === undefined) throw new ApiError(404, 10007, "This Worker does not exist on your account.");
  return script;
}
