import { createHash } from "node:crypto";
import { currentTimestamp, hexId, uuid } from "#account/identifiers.ts";
import type { ApiContext } from "#cloudflare/api/context.ts";
import { ApiError, type Call, splitWords } from "#cloudflare/api/operations.ts";
import { attachedAssets } from "../../assets/attached.ts";
import { migrateClasses } from "../../durable-objects/migrations.ts";
import { checkBindings, inheritBindings, parseBindings } from "../bindings.ts";
import { type ScriptParameters, scriptId } from "../lookup.ts";
import type { ScriptModule, ScriptRecord } from "../record.ts";
import type { ScriptMetadata, Upload } from "./upload.ts";

type UploadCall = Pick<Call, "headers"> & { params: ScriptParameters };

/** Metadata with record fields of their own; the others are in `settings`. */
const placed = splitWords(`
  main_module body_part bindings keep_bindings migrations containers compatibility_date
  compatibility_flags tags limits annotations assets keep_assets
`);

function otherSettings(metadata: ScriptMetadata): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).filter(([field]) => !placed.includes(field)));
}

function etagOf(modules: ScriptModule[]): string {
  const hash = createHash("sha256");
  for (const module of modules) hash.update(`${module.name}\0${module.type}\0${module.sha256}\n`);
  return hash.digest("hex");
}

function checkContainers(script: ScriptRecord): void {
  for (const { class_name } of script.containers) {
    if (!script.durable_objects.some((one) => one.class_name === class_name)) {
      throw new ApiError(400, 10021, `Container class '${class_name}' is not a Durable Object class of this Worker.`);
    }
  }
}

const variableTypes = new Set(["plain_text", "secret_text", "json"]);

function checkLimits(context: ApiContext, script: ScriptRecord): void {
  const { limits } = context;
  const variables = script.bindings.filter(({ type }) => variableTypes.has(type));
  limits.check("scriptVariables", variables.length);
  for (const { text, json } of variables) {
    limits.check("scriptVariable", Buffer.byteLength(typeof text === "string" ? text : JSON.stringify(json)));
  }
  limits.check("cpuTime", script.limits.cpu_ms ?? 0);
  limits.check("subrequestsMost", script.limits.subrequests ?? 0);
  if (script.namespace === undefined) checkAccountLimits(context, script);
  else limits.check("namespacedScriptTags", new Set(script.tags).size);
}

/** Dispatch namespaces have any number of scripts and Durable Object classes. */
function checkAccountLimits({ limits, store }: ApiContext, script: ScriptRecord): void {
  const others = store.list("script").filter((other) => other.namespace === undefined && other.id !== script.id);
  if (store.get("script", script.id) === undefined) limits.check("scripts", others.length + 1);
  const classes = others.reduce((sum, other) => sum + other.durable_objects.length, script.durable_objects.length);
  if (script.durable_objects.length > 0) limits.check("objectClasses", classes);
}

function storeScript(context: ApiContext, script: ScriptRecord): ScriptRecord {
  checkContainers(script);
  checkLimits(context, script);
  context.store.put("script", script);
  return script;
}

function nextVersion(before: ScriptRecord | undefined, time: string) {
  const number = before === undefined ? 1 : Number(before.version_number) + 1;
  return { version_id: uuid(), version_number: number, modified_on: time };
}

function clientOf({ headers }: Pick<Call, "headers">): string {
  return headers.get("User-Agent")?.startsWith("wrangler/") ? "wrangler" : "api";
}

/** Creates or replaces the script. @throws ApiError 400 for an invalid upload */
export function saveUpload(context: ApiContext, call: UploadCall, upload: Upload): ScriptRecord {
  return storeScript(context, applyUpload(context, call, upload));
}

/** Returns the script of an upload without storing it. @throws ApiError 400 for an invalid upload */
export function applyUpload(context: ApiContext, call: UploadCall, upload: Upload): ScriptRecord {
  const { params } = call;
  const { metadata, modules, main_module } = upload;
  const before = context.store.get("script", scriptId(params));
  const state = { durable_objects: before?.durable_objects ?? [], migration_tag: before?.migration_tag };
  const time = currentTimestamp();
  const script: ScriptRecord = {
    id: scriptId(params),
    name: params.script_name,
    ...(params.dispatch_namespace !== undefined && { namespace: params.dispatch_namespace }),
    tag: before?.tag ?? hexId(),
    main_module,
    modules,
    bindings: inheritBindings(
      parseBindings(context.bindingTypes, metadata.bindings),
      before?.bindings ?? [],
      metadata.keep_bindings,
    ),
    compatibility_date: metadata.compatibility_date,
    compatibility_flags: metadata.compatibility_flags ?? [],
    ...migrateClasses(state, metadata.migrations),
    containers: metadata.containers ?? [],
    tags: metadata.tags ?? [],
    limits: metadata.limits ?? {},
    ...attachedAssets(context, scriptId(params), metadata, before?.assets),
    settings: otherSettings(metadata),
    subdomain: before?.subdomain ?? { enabled: false, previews_enabled: false },
    etag: etagOf(modules),
    created_on: before?.created_on ?? time,
    deployed_from: clientOf(call),
    ...nextVersion(before, time),
  };
  checkBindings(context, script);
  checkContainers(script);
  checkLimits(context, script);
  return script;
}

export function saveContent(context: ApiContext, before: ScriptRecord, { modules, main_module }: Upload): ScriptRecord {
  return storeScript(context, {
    ...before,
    modules,
    main_module,
    etag: etagOf(modules),
    ...nextVersion(before, currentTimestamp()),
  });
}

/** Changes the given settings. @param version of the result; `{}` for settings outside of versions */
export function saveSettings(
  context: ApiContext,
  before: ScriptRecord,
  change: ScriptMetadata,
  version: Partial<ScriptRecord> = nextVersion(before, currentTimestamp()),
): ScriptRecord {
  if (change.assets) throw new ApiError(400, 10021, "Assets can only be changed by an upload, not by settings.");
  const bindings =
    change.bindings === undefined
      ? before.bindings
      : inheritBindings(parseBindings(context.bindingTypes, change.bindings), before.bindings, change.keep_bindings);
  const script: ScriptRecord = {
    ...before,
    bindings,
    compatibility_date: change.compatibility_date ?? before.compatibility_date,
    compatibility_flags: change.compatibility_flags ?? before.compatibility_flags,
    containers: change.containers ?? before.containers,
    tags: change.tags === undefined ? before.tags : (change.tags ?? []),
    limits: change.limits ?? before.limits,
    ...migrateClasses(before, change.migrations),
    settings: { ...settingsOf(before), ...otherSettings(change) },
    ...version,
  };
  if (change.bindings !== undefined) checkBindings(context, script);
  return storeScript(context, script);
}

export function saveBindings(
  context: ApiContext,
  before: ScriptRecord,
  bindings: ScriptRecord["bindings"],
): ScriptRecord {
  return storeScript(context, { ...before, bindings, ...nextVersion(before, currentTimestamp()) });
}

export function settingsOf(script: ScriptRecord): Record<string, unknown> {
  return script.settings as Record<string, unknown>;
}
