import type { Kind } from "../../kind.ts";
import { userApi } from "./api.ts";

export const user: Kind = {
  api: [userApi],
};
