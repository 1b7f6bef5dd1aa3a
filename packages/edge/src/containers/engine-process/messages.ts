/** Messages between the edge and the process of container engines. */
import * as z from "zod";
import { deployment, instance } from "../deployments.ts";
import { confinement } from "../isolation/confinement.ts";
import { scriptName } from "../names.ts";
import { processImage } from "../process-image.ts";

/** {@link ContainerEngineOptions} without functions. */
const engineSettings = z.object({
  directory: z.string(),
  image: processImage,
  images: z.string().optional(),
  pushed: z.array(z.string()).readonly().optional(),
  confinement: confinement.optional(),
  network: z.enum(["own", "shared"]).optional(),
  internet: z.record(z.string(), z.string()).readonly().optional(),
});
export type EngineSettings = z.infer<typeof engineSettings>;

/** To the process. Each but `class` and `deploy` gets a reply with its `call`. `engine` is the number of its `open`. */
export const order = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("open"), call: z.number(), engine: z.number(), settings: engineSettings }),
  /** Registers a class with containers. */
  z.object({ kind: z.literal("class"), engine: z.number(), script: scriptName, className: z.string() }),
  z.object({
    kind: z.literal("deploy"),
    engine: z.number(),
    script: scriptName,
    className: z.string(),
    deployment: deployment.optional(),
  }),
  z.object({
    kind: z.literal("stopContainer"),
    call: z.number(),
    engine: z.number(),
    name: z.string(),
    how: z.enum(["terminate", "remove"]),
  }),
  z.object({ kind: z.literal("end"), call: z.number(), engine: z.number(), script: scriptName }),
  z.object({ kind: z.literal("stop"), call: z.number(), engine: z.number() }),
]);
export type Order = z.infer<typeof order>;

const openedEngine = z.object({
  address: z.string(),
  egressImage: z.string(),
  marker: z.string(),
  description: z.string(),
});

/** From the process. */
export const report = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("opened"), call: z.number(), opened: openedEngine }),
  z.object({ kind: z.literal("done"), call: z.number() }),
  z.object({ kind: z.literal("failed"), call: z.number(), message: z.string() }),
  /** All running containers of an engine. Sent when one starts or ends. */
  z.object({ kind: z.literal("running"), engine: z.number(), instances: z.array(instance) }),
  z.object({
    kind: z.literal("log"),
    engine: z.number(),
    area: z.string(),
    event: z.string(),
    fields: z.record(z.string(), z.unknown()).optional(),
  }),
]);
export type Report = z.infer<typeof report>;
