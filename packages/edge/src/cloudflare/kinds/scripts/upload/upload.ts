import * as z from "zod";
import type { ApiContext } from "#cloudflare/api/context.ts";
import { ApiError, type Call, validateInput } from "#cloudflare/api/operations.ts";
import { assetsMetadata } from "../../assets/metadata.ts";
import type { ScriptModule } from "../record.ts";
import { checkCode, type Part } from "./code-check.ts";
import { readForm, readObject } from "./multipart.ts";

/** Media types of modules that the edge can run. */
const moduleTypes = new Set([
  "application/javascript+module",
  "application/javascript",
  "text/javascript",
  "application/wasm",
  "application/json",
  "application/octet-stream",
  "text/plain",
]);

const bag = z.looseObject({});
const count = z.coerce.number().int().min(0);

export const scriptMetadata = z.looseObject({
  main_module: z.string().min(1).exactOptional(),
  body_part: z.string().exactOptional(),
  bindings: z.unknown().optional(),
  keep_bindings: z.array(z.string()).default([]),
  migrations: z.unknown().optional(),
  containers: z.array(z.looseObject({ class_name: z.string().min(1) })).exactOptional(),
  compatibility_date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .exactOptional(),
  compatibility_flags: z.array(z.string()).exactOptional(),
  tags: z.array(z.string().max(1024)).nullish(),
  limits: z.looseObject({ cpu_ms: count.exactOptional(), subrequests: count.exactOptional() }).exactOptional(),
  observability: bag.nullish(),
  logpush: z.boolean().exactOptional(),
  assets: assetsMetadata.nullish(),
  keep_assets: z.boolean().nullish(),
});
export type ScriptMetadata = z.infer<typeof scriptMetadata>;

export interface Upload {
  metadata: ScriptMetadata;
  main_module: string;
  modules: ScriptModule[];
}

/** Reads an upload and stores its modules as blobs. @throws ApiError 400 for invalid metadata or modules */
export async function readUpload(
  { limits, store }: Pick<ApiContext, "limits" | "store">,
  call: Pick<Call, "body" | "headers">,
): Promise<Upload> {
  const form = await readForm(call);
  const given = await readObject(form, "metadata");
  if (given === undefined) throw new ApiError(400, 10002, "The part metadata is missing.");
  const metadata = validateInput(given, scriptMetadata, 10021);
  if (metadata.body_part !== undefined) {
    throw new ApiError(400, 10021, "Service-worker syntax is not supported by the local edge: upload modules.");
  }
  const main_module = metadata.main_module ?? call.headers.get("CF-WORKER-MAIN-MODULE-PART");
  if (main_module === undefined || main_module === null) {
    const alone = metadata.assets ? " The local edge does not support Workers with assets only." : "";
    throw new ApiError(400, 10021, `metadata.main_module is missing.${alone}`);
  }
  const parts: Part[] = [];
  for (const [key, value] of form.entries()) {
    if (key === "metadata" || key.startsWith("metadata[")) continue;
    if (typeof value === "string") {
      throw new ApiError(400, 10021, `The part ${key} is not a module: it has no file name.`);
    }
    const name = /^files(\[\d*\])?$/.test(key) ? value.name : key;
    parts.push({ name, type: value.type.split(";")[0] ?? "", bytes: new Uint8Array(await value.arrayBuffer()) });
  }
  const modules = parts.filter((part) => part.type !== "application/source-map");
  const unknown = modules.find((part) => !moduleTypes.has(part.type));
  if (unknown !== undefined) {
    throw new ApiError(400, 10021, `Module ${unknown.name} has unknown type ${unknown.type}.`);
  }
  const main = modules.find((part) => part.name === main_module);
  if (main === undefined) throw new ApiError(400, 10021, `No such module "${main_module}".`);
  if (new Set(modules.map((part) => part.name)).size < modules.length) {
    throw new ApiError(400, 10021, "Two modules have the same name.");
  }
  limits.check(
    "scriptSize",
    modules.reduce((sum, part) => sum + part.bytes.byteLength, 0),
  );
  await checkCode(modules);
  return {
    metadata,
    main_module,
    modules: modules.map(({ name, type, bytes }) => ({ name, type, sha256: store.writeBlob(bytes) })),
  };
}
