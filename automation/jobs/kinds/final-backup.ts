/** Last backup of a frozen tenant before anything of it is removed. */
import type { JobKind } from "../kind.ts";

export const finalBackup: JobKind = {
  name: "final_backup",
  async run({ slug }, { dispatch }, { signal }) {
    await dispatch.backUp(slug, signal);
  },
};
