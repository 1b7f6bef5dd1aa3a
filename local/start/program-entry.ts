/**
 * Runs a program for the engine's language host in place of `@pulumi/pulumi/cmd/run`, without the parts of the SDK that no program here uses:
 * they take half of a run's processor time. `local/start/project.ts` tells the host its path.
 */
import "#automation/engine/sdk-on-demand.ts";
import "@tenantry/automation-api/lean-sdk";
import { createRequire } from "node:module";

// A language host that is built from Go modules ignores `typescript: false` of the project, so that the SDK loads a second compiler.
process.env.PULUMI_NODEJS_TYPESCRIPT = "false";
createRequire(import.meta.url)("@pulumi/pulumi/cmd/run/index.js");
