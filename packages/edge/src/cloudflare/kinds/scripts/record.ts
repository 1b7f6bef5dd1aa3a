import type { ScriptAssets } from "../assets/record.ts";

/** A module; its bytes are the blob `sha256`. */
export interface ScriptModule {
  name: string;
  /** Media type, such as `application/javascript+module`. */
  type: string;
  sha256: string;
}

/** A binding as uploaded: `type`, `name` and fields of the type (`text`, `class_name`, …). */
export interface ScriptBinding {
  type: string;
  name: string;
  [field: string]: unknown;
}

/** A script of the account, or of a dispatch namespace if `namespace` is set. */
export interface ScriptRecord {
  /** Script name; `{namespace}/{name}` in a dispatch namespace. */
  id: string;
  name: string;
  namespace?: string;
  main_module: string;
  modules: ScriptModule[];
  /** With values of secrets (`secret_text`), which the API never returns. */
  bindings: ScriptBinding[];
  compatibility_date?: string | undefined;
  compatibility_flags: string[];
  /** Durable Object classes of the script's migrations. */
  durable_objects: { class_name: string; sqlite: boolean; namespace_id: string }[];
  migration_tag?: string | undefined;
  containers: { class_name: string }[];
  tags: string[];
  limits: { cpu_ms?: number; subrequests?: number };
  assets?: ScriptAssets;
  etag: string;
  created_on: string;
  modified_on: string;
  [field: string]: unknown;
}
