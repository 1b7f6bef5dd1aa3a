import type { PluginPart } from "../../plugin/part.ts";
import { workersScript } from "./plugin-script.ts";

export const plugin: PluginPart = { resources: (directory) => [workersScript(directory)] };
