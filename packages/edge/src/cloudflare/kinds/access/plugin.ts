import type { PluginPart } from "../../plugin/part.ts";
import { accessApplication } from "./plugin-application.ts";
import { accessGroup } from "./plugin-group.ts";
import { accessPolicy } from "./plugin-policy.ts";

export const plugin: PluginPart = { resources: [accessApplication, accessGroup, accessPolicy] };
