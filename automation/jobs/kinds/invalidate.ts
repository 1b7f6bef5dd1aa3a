/** Has the dispatch Worker forget what it knows of a tenant. */
import { isSlug } from "#domain/names/slug.ts";
import type { JobKind } from "../kind.ts";
import { JobRefused } from "../refusals.ts";

export const invalidate: JobKind = {
  name: "invalidate",
  async run({ slug }, { dispatch }, { signal }) {
    if (!isSlug(slug)) throw new JobRefused("It names no tenant's slug. Ask for it again with one.");
    await dispatch.invalidate(slug, signal);
  },
};
