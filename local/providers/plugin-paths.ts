/** Folders of the executables of the provider `tenantry` and of the stand-ins. */
import { fileURLToPath } from "node:url";
import { pluginDirectory } from "@tenantry/edge/pulumi-plugin";

const ownDirectory = fileURLToPath(new URL("./bin", import.meta.url));

export const standInDirectories = [pluginDirectory, ownDirectory];

const executables = {
  cloudflare: pluginDirectory,
  postgresql: ownDirectory,
  random: ownDirectory,
  tenantry: fileURLToPath(new URL("../../stack/provider", import.meta.url)),
};

export const pluginPaths: readonly { name: string; path: string }[] = Object.entries(executables).map(
  ([name, path]) => ({ name, path }),
);
