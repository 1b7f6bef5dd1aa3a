import { logoTypes, MAX_LOGO_BYTES } from "#workers/contracts/api/people/partners.ts";
import { formatBytes } from "#workers/dashboard/ui/kit/format.ts";

export const LOGO_TYPES = "PNG, JPEG, WebP or SVG";
export const MAX_SIZE = `${MAX_LOGO_BYTES / 1024} KiB`;

/** Checks type and size; the API checks the content. */
export function logoFault({ type, size }: Pick<File, "type" | "size">): string | undefined {
  if (!logoTypes.some((one) => one === type)) return `The file is not a ${LOGO_TYPES} image. Choose another file.`;
  if (size === 0) return "The file is empty. Choose another file.";
  if (size > MAX_LOGO_BYTES) return `The file has ${formatBytes(size)}. Choose one of at most ${MAX_SIZE}.`;
  return undefined;
}
