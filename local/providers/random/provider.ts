import { type Provider, provider } from "@tenantry/plugin-host";
import * as z from "zod";
import { randomPassword } from "./password.ts";
import { randomUuid } from "./uuid.ts";

/** Stands in for the vendor's plugin `random`, for the kinds the platform deploys. */
export const random: Provider = provider({
  name: "random",
  version: "4.21.2",
  config: z.object({}),
  connect: () => undefined,
  resources: [randomPassword, randomUuid],
  wording: () => undefined,
});
