import type { Kind } from "../../kind.ts";
import { containersApi } from "./api.ts";

export const containers: Kind = {
  api: [containersApi],
  ingredients: { account: ["container_application"], namespaced: ["container_application"] },
};
