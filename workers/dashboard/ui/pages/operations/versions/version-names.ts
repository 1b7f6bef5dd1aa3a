import type { Image, WorkerBundle } from "#workers/contracts/api/tenants/images.ts";

const DIGITS = 12;

/** Without registry and most of the digest. */
export function shortReference(reference: string): string {
  const [name = reference, digest = ""] = reference.split("@sha256:");
  return `${name.split("/").at(-1)}@${digest.slice(0, DIGITS)}`;
}

export const shortHash = (hash: string): string => hash.slice(0, DIGITS);

export const imageName = ({ gateway, gateway_version }: Pick<Image, "gateway" | "gateway_version">): string =>
  `${gateway} ${gateway_version}`;

export const bundleName = ({ release, content_hash }: Pick<WorkerBundle, "release" | "content_hash">): string =>
  `${release} (${shortHash(content_hash)})`;
