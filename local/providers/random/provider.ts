import { type Provider, provider } from "@tenantry/plugin-host/provider";
import * as z from "zod";
import { randomPassword } from "./password.ts";
import { randomUuid } from "./uuid.ts";

/** Stand-in for the vendor's plugin, with the resource types that the platform uses. */
export const random: Provider = provider({
  name: "random",
  version: "4.21.2",
  config: z.object({}),
  connect: () => undefined,
  resources: [randomPassword, randomUuid],
  wording: () => undefined,
});
