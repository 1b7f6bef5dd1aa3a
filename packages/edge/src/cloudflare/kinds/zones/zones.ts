import type { Kind } from "../../kind.ts";
import { zonesApi } from "./api.ts";

export const zones: Kind = {
  api: [zonesApi],
};
