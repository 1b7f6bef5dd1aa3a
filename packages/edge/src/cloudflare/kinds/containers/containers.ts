import type { Kind } from "../../kind.ts";
import { containersApi } from "./api.ts";
import { containerRegistriesApi } from "./registries.ts";

export const containers: Kind = {
  api: [containersApi, containerRegistriesApi],
  ingredients: { account: ["container_application"], namespaced: ["container_application"] },
};
