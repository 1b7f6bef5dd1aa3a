/** Which files may be a logo: what the API would refuse is not sent. */
import { logoTypes, MAX_LOGO_BYTES } from "#workers/contracts/api/people/partners.ts";
import { formatBytes } from "#workers/dashboard/ui/kit/format.ts";

export const LOGO_KINDS = "PNG, JPEG, WebP or SVG";
export const MOST_BYTES = `${MAX_LOGO_BYTES / 1024} KiB`;

/** Why a file cannot be a logo; undefined where it can, by its name and size. Its bytes are for the API to tell. */
export function logoFault({ type, size }: Pick<File, "type" | "size">): string | undefined {
  if (!logoTypes.some((one) => one === type)) return `It is no ${LOGO_KINDS}; choose another file.`;
  if (size === 0) return "It is empty; choose another file.";
  if (size > MAX_LOGO_BYTES) return `It has ${formatBytes(size)}; choose one of at most ${MOST_BYTES}.`;
  return undefined;
}
