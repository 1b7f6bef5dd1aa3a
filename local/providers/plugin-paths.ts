/** Where the engine finds the executables of the provider `tenantry` and of the stand-ins. */
import { fileURLToPath } from "node:url";

/** Directory of the stand-ins' executables. The engine takes those that a project does not name from the PATH. */
export const standInDirectory = fileURLToPath(new URL("./bin", import.meta.url));

const executables = {
  cloudflare: standInDirectory,
  postgresql: standInDirectory,
  random: standInDirectory,
  tenantry: fileURLToPath(new URL("../../provider", import.meta.url)),
};

/** `plugins.providers` of a project: where the engine finds the executables of all four providers. */
export const pluginPaths: readonly { name: string; path: string }[] = Object.entries(executables).map(
  ([name, path]) => ({ name, path }),
);
