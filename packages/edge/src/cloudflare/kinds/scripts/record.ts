import type { Stamped } from "#account/records.ts";
import type { ScriptAssets } from "../assets/record.ts";

/** One module of a script; its bytes lie in the blob store under `sha256`. */
export interface ScriptModule {
  name: string;
  /** MIME type as uploaded, such as `application/javascript+module`. */
  type: string;
  sha256: string;
}

/** A binding of a script as uploaded: `type`, `name` and the fields of that type (`text`, `class_name`, …). */
export interface ScriptBinding {
  type: string;
  name: string;
  [field: string]: unknown;
}

/** A script of the account, or of a dispatch namespace when `namespace` is set. */
export interface ScriptRecord extends Stamped {
  /** Script name; `{namespace}/{name}` for one in a dispatch namespace. */
  id: string;
  name: string;
  namespace?: string;
  main_module: string;
  modules: ScriptModule[];
  /** Secret values are kept here (`secret_text`), and never answered by the API. */
  bindings: ScriptBinding[];
  compatibility_date?: string;
  compatibility_flags: string[];
  /** Durable Object classes the script's migrations created, and the last migration tag applied. */
  durable_objects: { class_name: string; sqlite: boolean; namespace_id: string }[];
  migration_tag?: string;
  containers: { class_name: string }[];
  tags: string[];
  limits: { cpu_ms?: number; subrequests?: number };
  /** Files that it serves. Default: none. */
  assets?: ScriptAssets;
  etag: string;
  [field: string]: unknown;
}

declare module "../../../account/records.ts" {
  interface Records {
    script: ScriptRecord;
  }
}
