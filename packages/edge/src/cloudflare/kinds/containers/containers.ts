import type { Kind } from "../../kind.ts";
import { containersApi } from "./api.ts";
import { containerRegistriesApi } from "./registries.ts";
import { rolloutsApi } from "./rollouts/api.ts";

export const containers: Kind = {
  api: [containersApi, rolloutsApi, containerRegistriesApi],
  ingredients: { account: ["container_application"], namespaced: ["container_application"] },
};
