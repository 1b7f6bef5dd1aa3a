/** Request to restart the automation service of `npm start` with other secrets. */
import * as z from "zod";

export const serviceRestart = z.object({
  stack: z.string(),
  variables: z.partialRecord(
    z.enum(["DATABASE_URL", "INVALIDATE_TOKEN", "LIVE_TOKEN", "PULUMI_CONFIG_PASSPHRASE"]),
    z.string(),
  ),
});
export type ServiceRestart = z.infer<typeof serviceRestart>;

export type RestartService = (restart: ServiceRestart) => Promise<boolean>;

export const SERVICE_RESTART_PATH = "/local/service/restart";
