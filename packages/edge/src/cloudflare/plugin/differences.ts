import { missing, type StandIn } from "@tenantry/std/difference";

export const pluginDifferences: StandIn = {
  title: "Pulumi plugin `cloudflare`",
  differs: [
    missing("The resources and functions of the kinds that the edge serves, with the inputs that are declared there."),
    missing("`getWorkersScripts` does not filter by tags."),
  ],
};
