/** Tenants' stacks: previews and deployments of one, of several at once, and of many files, on a local edge of its own. */
import { suite } from "../suite.ts";
import { asked } from "./asked.ts";
import { deployments } from "./deployments.ts";
import { openFleet } from "./fleet.ts";
import { manyFiles } from "./many-files.ts";
import { previews } from "./previews.ts";

export const provisioning = suite({
  name: "provisioning",
  open: () => openFleet(),
  close: (fleet) => fleet.close(),
  measurements: [previews, deployments, manyFiles, asked],
});
