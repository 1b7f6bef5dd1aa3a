/** What containers get that start, by the class of their Durable Object. */
import * as z from "zod";
import { containerSize } from "./isolation/cgroups.ts";
import { type ScriptName, scriptName } from "./names.ts";

export const deployment = z.object({
  image: z.string(),
  version: z.number().int(),
  /** Default: without limits of memory and CPU. */
  size: containerSize.exactOptional(),
});
/** An image with its instance type, and the version of the container application that has them. */
export type Deployment = z.infer<typeof deployment>;

export const instance = z.object({
  script: scriptName,
  /** workerd's name of the container. */
  name: z.string(),
  /** Version of the application when the container was created; 0 when unknown. */
  version: z.number(),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
});
/** A running container. */
export type Instance = z.infer<typeof instance>;

/** A start that the platform refuses. The Worker gets the message when it monitors the container. */
export class StartRefused extends Error {
  override name = "StartRefused";
}

/**
 * The vendor's message for a class without an application
 * (https://github.com/cloudflare/workers-sdk/issues/13936).
 */
export const NO_APPLICATION_MESSAGE = "There is no container application assigned to this Durable Object";

/**
 * The vendor's message when no instance is prepared, as when its image cannot be pulled. The vendor's package compares it in lower case
 * (https://github.com/cloudflare/containers/blob/main/src/lib/container.ts).
 */
export const NO_INSTANCE_MESSAGE =
  "There is no container instance that can be provided to this Durable Object, try again later";

export const isOf = (script: ScriptName, { script: { namespace, name } }: Instance): boolean =>
  namespace === script.namespace && name === script.name;
