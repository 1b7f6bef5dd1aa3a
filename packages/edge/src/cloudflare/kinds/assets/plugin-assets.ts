import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { hasUnknown, type Properties, UserError } from "@tenantry/plugin-host";
import * as z from "zod";
import type { Api } from "../../plugin/api.ts";
import { toBody } from "../../plugin/casing.ts";
import { type DirectoryFile, filesOf, manifestOf, manifestSha256 } from "./plugin-directory.ts";

export const assetsInput = z.strictObject({
  directory: z.string().optional(),
  /** Completion token of an external upload; `directory` is then ignored. */
  jwt: z.string().optional(),
  config: z
    .strictObject({
      basePath: z.string().optional(),
      headers: z.string().optional(),
      htmlHandling: z.string().optional(),
      notFoundHandling: z.string().optional(),
      redirects: z.string().optional(),
      runWorkerFirst: z.unknown().optional(),
      serveDirectly: z.boolean().optional(),
    })
    .optional(),
  /** Always computed from `directory`. */
  assetManifestSha256: z.string().optional(),
});
export type AssetsInput = z.infer<typeof assetsInput>;

const isOfDirectory = ({ directory, jwt }: AssetsInput) => directory !== undefined && jwt === undefined;

/** Adds the hash of the directory's contents, so that a diff shows changed files. @param base of a relative directory */
export function withManifestHash(assets: AssetsInput, base: string): AssetsInput {
  const { directory, assetManifestSha256: _, ...rest } = assets;
  if (directory === undefined || !isOfDirectory(assets) || hasUnknown(directory)) return assets;
  return { ...rest, directory, assetManifestSha256: manifestSha256(filesOf(resolve(base, directory))) };
}

/** Uploads missing files. @returns the metadata for the script's upload */
export async function uploadAssets(
  api: Api,
  script: { accountId: string; scriptName: string },
  assets: AssetsInput,
  base: string,
): Promise<Properties> {
  const config = assets.config && toBody(assets.config, { headers: "_headers", redirects: "_redirects" });
  const jwt = isOfDirectory(assets) ? await uploadDirectory(api, script, assets, base) : assets.jwt;
  return { ...(jwt !== undefined && { jwt }), ...(config && { config }) };
}

const session = z.looseObject({ jwt: z.string(), buckets: z.array(z.array(z.string())).default([]) });

async function uploadDirectory(
  api: Api,
  { accountId, scriptName }: { accountId: string; scriptName: string },
  { directory = "", assetManifestSha256 }: AssetsInput,
  base: string,
): Promise<string> {
  const files = filesOf(resolve(base, directory));
  if (manifestSha256(files) !== assetManifestSha256) {
    throw new UserError(`The files in ${directory} changed during the deployment. Run it again.`);
  }
  const account = `/accounts/${encodeURIComponent(accountId)}/workers`;
  const begun = `${account}/scripts/${encodeURIComponent(scriptName)}/assets-upload-session`;
  const { jwt, buckets } = session.parse(await api.send("post", begun, { manifest: manifestOf(files) }));
  const byHash = new Map([...files.values()].map((file) => [file.hash, file]));
  let completion = buckets.length === 0 ? jwt : undefined;
  for (const bucket of buckets) {
    const answer = await api.uploadWith(jwt, `${account}/assets/upload?base64=true`, formOf(bucket, byHash));
    if (typeof answer.jwt === "string") completion = answer.jwt;
  }
  if (completion === undefined) throw new Error(`the API did not complete the upload of ${directory}`);
  return completion;
}

function formOf(bucket: readonly string[], byHash: ReadonlyMap<string, DirectoryFile>): FormData {
  const form = new FormData();
  for (const hash of bucket) {
    const found = byHash.get(hash);
    if (found === undefined) throw new Error(`the API requested the unknown file ${hash}`);
    // A form sets a default type for a part without one.
    const type = found.type === "" ? "application/null" : found.type;
    form.append(hash, new File([readFileSync(found.file).toString("base64")], hash, { type }), hash);
  }
  return form;
}
