import { ApiError } from "../../api/operations.ts";
import type { StoredAsset } from "./record.ts";
import type { WantedAssets } from "./uploads.ts";

/** Stands for no media type, because a form's part requires one. */
const NO_TYPE = "application/null";

/** Reads a part named by the hash of its base64 file. @throws ApiError 400; the code is not Cloudflare's */
export async function readAsset(
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
