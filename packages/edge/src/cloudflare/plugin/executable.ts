import { fileURLToPath } from "node:url";

/** Folder of the executable `pulumi-resource-cloudflare`, for `plugins.providers` of a project or the `PATH` of the engine. */
export const pluginDirectory = fileURLToPath(new URL("../../../bin", import.meta.url));
