import * as z from "zod";
import type { ExportedState } from "#automation/engine/state/scratch-backend.ts";
import { environments } from "#domain/environment.ts";

const outputs = z.object({
  version: z.literal(1),
  environment: z.enum(environments),
  domain: z.string(),
  accountId: z.string(),
  zoneId: z.string(),
  dispatchNamespace: z.string(),
  permissions: z.object({ aiGatewayRun: z.string(), bucketObjectWrite: z.string() }),
});
const stackResource = z.object({ outputs: z.object({ platform: outputs }) });

/** A platform by the outputs of its stack, without secrets. */
export interface Platform extends z.infer<typeof outputs> {
  /** Name of its stack in the backend. */
  stack: string;
}

/** Returns `undefined` if the stack has no platform of this version. */
export function platformOf(stack: string, state: ExportedState): Platform | undefined {
  const resource = state.deployment.resources?.find(({ type }) => type === "pulumi:pulumi:Stack");
  const found = stackResource.safeParse(resource).data?.outputs.platform;
  return found && { ...found, stack };
}
