/** A frozen tenant's last backup, before anything of it may go: what its Worker holds is written to its bucket. */
import type { JobKind } from "../kind.ts";

export const finalBackup: JobKind = {
  name: "final_backup",
  async run({ slug }, { dispatch }, { signal }) {
    await dispatch.backUp(slug, signal);
  },
};
