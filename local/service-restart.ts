/** Has the automation service that `npm start` runs started again with other secrets. */
import * as z from "zod";

export const serviceRestart = z.object({
  /** Stack of the platform that it serves. */
  stack: z.string(),
  /** Variables of the service that change. */
  variables: z.partialRecord(
    z.enum(["DATABASE_URL", "INVALIDATE_TOKEN", "LIVE_TOKEN", "PULUMI_CONFIG_PASSPHRASE"]),
    z.string(),
  ),
});
export type ServiceRestart = z.infer<typeof serviceRestart>;

/** @returns whether a service runs for the stack */
export type RestartService = (restart: ServiceRestart) => Promise<boolean>;

export const SERVICE_RESTART_PATH = "/local/service/restart";
