import { jobErrors } from "#domain/errors/service/automation-jobs.ts";
import { isSlug } from "#domain/names/slug.ts";
import type { JobKind } from "../kind.ts";
import { JobRefused } from "../refusals.ts";

export const invalidate: JobKind = {
  name: "invalidate",
  async run({ slug }, { dispatch }, { signal }) {
    if (!isSlug(slug)) throw new JobRefused(jobErrors.job_slug_invalid);
    await dispatch.invalidate(slug, signal);
  },
};
