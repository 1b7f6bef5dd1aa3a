import type { PluginPart } from "../../plugin/part.ts";
import { listScripts } from "./plugin-list-scripts.ts";
import { workersScript } from "./plugin-script.ts";

export const plugin: PluginPart = {
  custom: (directory) => [workersScript(directory)],
  functions: { "cloudflare:index/getWorkersScripts:getWorkersScripts": listScripts },
};
