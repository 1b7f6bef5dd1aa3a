/** A state that a newer gateway wrote than the image has: the image must not have it, as it would not understand it. */
import type { VersionAnswer } from "#workers/contracts/tenant/sandbox.ts";

/** The message names both versions, and what helps. */
export class NewerState extends Error {
  override name = "NewerState";
}

/** @param what whose it is, such as `the state` @throws NewerState when a newer gateway wrote it */
export function refuseNewer(what: string, { age, state, image }: VersionAnswer): void {
  if (age !== "newer" || state === undefined || image === undefined) return;
  throw new NewerState(
    `${what} is of ${state.name} ${state.version}, newer than this image's ${image.version}: go back to an image with ${state.version} or newer, or restore a backup of ${image.version} or older; GET /api/admin/gateway/backups lists them`,
  );
}
