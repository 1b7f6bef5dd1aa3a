import type { Kind } from "../../kind.ts";
import { accountsApi } from "./api.ts";

export const accounts: Kind = {
  api: [accountsApi],
};
