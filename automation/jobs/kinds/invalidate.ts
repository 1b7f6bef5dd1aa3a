import { isSlug } from "#domain/names/slug.ts";
import type { JobKind } from "../kind.ts";
import { JobRefused } from "../refusals.ts";

export const invalidate: JobKind = {
  name: "invalidate",
  async run({ slug }, { dispatch }, { signal }) {
    if (!isSlug(slug)) throw new JobRefused("The job has no valid slug. Request it again with a tenant's slug.");
    await dispatch.invalidate(slug, signal);
  },
};
