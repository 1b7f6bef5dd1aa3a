/** Where the engine finds the executables of the provider `tenantry` and of the stand-ins. */
import { fileURLToPath } from "node:url";

const executables = {
  cloudflare: fileURLToPath(new URL("./bin", import.meta.url)),
  postgresql: fileURLToPath(new URL("./bin", import.meta.url)),
  random: fileURLToPath(new URL("./bin", import.meta.url)),
  tenantry: fileURLToPath(new URL("../../provider", import.meta.url)),
};

/** `plugins.providers` of a project: where the engine finds the executables of all four providers. */
export const pluginPaths: readonly { name: string; path: string }[] = Object.entries(executables).map(
  ([name, path]) => ({ name, path }),
);
