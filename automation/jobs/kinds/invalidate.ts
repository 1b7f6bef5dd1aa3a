import * as z from "zod";
import { jobErrors } from "#domain/errors/service/automation-jobs.ts";
import { isSlug } from "#domain/names/slug.ts";
import type { JobKind } from "../kind.ts";
import { JobRefused } from "../refusals.ts";

/** Hashes of doors' keys. Default: the tenant itself. */
const ofDoors = z.object({ doors: z.array(z.string().regex(/^[0-9a-f]{64}$/)).optional() });

export const invalidate: JobKind = {
  name: "invalidate",
  async run({ slug, payload }, { dispatch }, { signal }) {
    if (!isSlug(slug)) throw new JobRefused(jobErrors.job_slug_invalid);
    const { doors } = ofDoors.parse(payload);
    if (doors === undefined) await dispatch.invalidate(slug, signal);
    else for (const keyHash of doors) await dispatch.invalidateDoor(keyHash, signal);
  },
};
