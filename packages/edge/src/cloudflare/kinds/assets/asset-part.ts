/** One file of an upload: a part whose name is the file's hash, whose text its bytes in base64. */
import { ApiError } from "../../api/api-error.ts";
import type { StoredAsset } from "./record.ts";
import type { WantedAssets } from "./uploads.ts";

/** Stands for no media type: a form's part has to have one. */
const NO_TYPE = "application/null";

/** @throws ApiError 400 when the session wants no such file, or it is not the one; the code is ours */
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
    throw new ApiError(400, 10021, `The file ${hash} is not encoded in base64.`);
  }
  if (bytes.byteLength !== entry.size) {
    throw new ApiError(
      400,
      10021,
      `The file ${hash} has ${bytes.byteLength} bytes, and the manifest says ${entry.size}.`,
    );
  }
  const type = typeof part === "string" ? "" : part.type;
  return { hash, bytes, type: type === "" || type === NO_TYPE ? null : type };
}
