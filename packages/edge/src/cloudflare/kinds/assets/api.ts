import { missing, undocumented } from "@tenantry/std/difference";
import * as z from "zod";
import { bearerToken } from "../../api/authentication.ts";
import { ApiError, apiPart, type Call, readBody, successResponse } from "../../api/operations.ts";
import { findDispatchNamespace } from "../dispatch-namespaces/api.ts";
import { type ScriptParameters, scriptId } from "../scripts/lookup.ts";
import type { ScriptRecord } from "../scripts/record.ts";
import { readForm } from "../scripts/upload/multipart.ts";
import { readManifest } from "./manifest.ts";
import type { StoredAsset } from "./record.ts";
import type { WantedAssets } from "./uploads.ts";

/** Cloudflare's code for an invalid manifest. */
const invalidManifest = 10304;

const manifestBody = z.looseObject({
  manifest: z
    .record(
      z.string(),
      z.looseObject({
        hash: z.string().regex(/^[0-9a-f]{32}$/i, "must be 32 hexadecimal digits"),
        size: z.int().min(0),
      }),
    )
    .refine((files) => Object.keys(files).every((path) => path.startsWith("/")), "each path must start with a slash"),
});

/** Stands for no media type, because a form's part requires one. */
const NO_TYPE = "application/null";

/** Reads a part named by the hash of its base64 file. @throws ApiError 400; the code is not Cloudflare's */
async function readAsset(
  hash: string,
  part: File | string,
  wanted: WantedAssets,
): Promise<Omit<StoredAsset, "sha256"> & { bytes: Buffer }> {
  const entry = Object.values(wanted).find((one) => one.hash === hash);
  if (entry === undefined) throw new ApiError(400, 10021, `The manifest has no file with the hash ${hash}.`);
  const text = (typeof part === "string" ? part : await part.text()).replace(/\s/g, "");
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64").replace(/=+$/, "") !== text.replace(/=+$/, "")) {
    throw new ApiError(400, 10021, `The file ${hash} is not valid base64.`);
  }
  if (bytes.byteLength !== entry.size) {
    const message = `The file ${hash} has ${bytes.byteLength} bytes, but ${entry.size} bytes in the manifest.`;
    throw new ApiError(400, 10021, message);
  }
  const type = typeof part === "string" ? "" : part.type;
  return { hash, bytes, type: type === "" || type === NO_TYPE ? null : type };
}

export const workerAssetsApi = apiPart({
  title: "Static assets of Workers",
  operations: {
    "POST /accounts/:account_id/workers/scripts/:script_name/assets-upload-session":
      "workers.scripts.assets.upload.create",
    "POST /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/assets-upload-session":
      "workersForPlatforms.dispatch.namespaces.scripts.assetUpload.create",
    "POST /accounts/:account_id/workers/assets/upload": "workers.assets.upload.create",
  },
  ownToken: ["POST /accounts/:account_id/workers/assets/upload"],
  differs: [
    missing("Upload sessions end when the edge stops."),
    missing("Only files of the same script are reused."),
    missing("No `base_path` and no single uploads."),
    undocumented("Codes of refused files."),
  ],
  handlers: ({ assetUploads, limits, store }) => {
    const begin = (call: Pick<Call, "body"> & { params: ScriptParameters }): Response => {
      const { manifest } = readBody(call, manifestBody, invalidManifest);
      limits.check("assetFiles", Object.keys(manifest).length);
      for (const { size } of Object.values(manifest)) limits.check("assetFile", size);
      const id = scriptId(call.params);
      const script = store.get("script", id);
      const versions = [script, script?.next as ScriptRecord | undefined];
      const known = versions.flatMap((one) => (one?.assets ? Object.values(readManifest(store, one.assets)) : []));
      return successResponse(assetUploads.begin(id, manifest, known));
    };
    return {
      "POST /accounts/:account_id/workers/scripts/:script_name/assets-upload-session": begin,
      "POST /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/assets-upload-session":
        (call) => {
          findDispatchNamespace(store, call.params.dispatch_namespace);
          return begin(call);
        },
      "POST /accounts/:account_id/workers/assets/upload": async (call) => {
        const token = bearerToken(call.headers);
        const session = assetUploads.opened(token);
        if (session === undefined) throw new ApiError(403, 10000, "Authentication error");
        if (call.query.get("base64") !== "true") throw new ApiError(400, 10021, "base64 must be true.");
        const parts = [...(await readForm(call)).entries()];
        const files = await Promise.all(parts.map(([hash, part]) => readAsset(hash, part, session.wanted)));
        const stored = files.map(({ bytes, ...file }) => ({ ...file, sha256: store.writeBlob(bytes) }));
        const jwt = assetUploads.keep(token, stored);
        return jwt === undefined ? successResponse({}, undefined, 202) : successResponse({ jwt }, undefined, 201);
      },
    };
  },
});
