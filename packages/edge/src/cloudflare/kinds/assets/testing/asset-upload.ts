import { createHash } from "node:crypto";
import type Cloudflare from "cloudflare";
import { toFile } from "cloudflare";
import { account_id, moduleFile } from "#cloudflare/api/testing/api-server.ts";

export function entryOf(text: string): { hash: string; size: number } {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 32);
  return { hash, size: Buffer.byteLength(text) };
}

export const manifestOf = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, entryOf(text)]));

/** Uploads a bucket. @returns the completion token after the last file */
export async function uploadBucket(
  cloudflare: Cloudflare,
  jwt: string,
  texts: readonly string[],
  type = "text/html",
): Promise<string | undefined> {
  const form = new FormData();
  for (const text of texts) {
    const { hash } = entryOf(text);
    form.append(hash, await toFile(Buffer.from(Buffer.from(text).toString("base64")), hash, { type }));
  }
  const answer = await cloudflare.post<{ result: { jwt?: string } }>(
    `/accounts/${account_id}/workers/assets/upload?base64=true`,
    { body: form, headers: { Authorization: `Bearer ${jwt}`, "Content-Type": null } },
  );
  return answer.result.jwt;
}

/** Uploads all requested files. @returns the completion token */
export async function uploadAssets(
  cloudflare: Cloudflare,
  script: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const params = { account_id, manifest: manifestOf(files) };
  const { jwt = "", buckets = [] } = await cloudflare.workers.scripts.assets.upload.create(script, params);
  const byHash = new Map(Object.values(files).map((text) => [entryOf(text).hash, text]));
  let completion = buckets.length === 0 ? jwt : "";
  for (const bucket of buckets) {
    const texts = bucket.map((hash) => byHash.get(hash) ?? "");
    completion = (await uploadBucket(cloudflare, jwt, texts)) ?? completion;
  }
  return completion;
}

/** Uploads a small script with assets metadata. */
export async function uploadWithAssets(
  cloudflare: Cloudflare,
  name: string,
  metadata: Omit<Cloudflare.Workers.Scripts.ScriptUpdateParams["metadata"], "main_module">,
) {
  return cloudflare.workers.scripts.update(name, {
    account_id,
    metadata: { main_module: "index.js", ...metadata },
    files: [await moduleFile("export default {};")],
  });
}
