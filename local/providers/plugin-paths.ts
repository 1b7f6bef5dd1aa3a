/** Where the engine finds the executables of the provider `tenantry` and of the stand-ins. */
import { fileURLToPath } from "node:url";
import { pluginDirectory } from "@tenantry/edge/pulumi-plugin";

const ownDirectory = fileURLToPath(new URL("./bin", import.meta.url));

/** Folders of the stand-ins' executables. The engine takes those that a project does not name from the PATH. */
export const standInDirectories = [pluginDirectory, ownDirectory];

const executables = {
  cloudflare: pluginDirectory,
  postgresql: ownDirectory,
  random: ownDirectory,
  tenantry: fileURLToPath(new URL("../../stack/provider", import.meta.url)),
};

/** `plugins.providers` of a project: where the engine finds the executables of all four providers. */
export const pluginPaths: readonly { name: string; path: string }[] = Object.entries(executables).map(
  ([name, path]) => ({ name, path }),
);
