/** What a process and its host of container engines say to each other. */
import * as z from "zod";
import { processImage } from "../process-image.ts";

const scriptName = z.object({ namespace: z.string(), name: z.string() });

const confinement = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("namespaces") }),
  z.object({ kind: z.literal("none"), reason: z.string() }),
]);

/** {@link ContainerEngineOptions} that can be sent. */
const engineSettings = z.object({
  directory: z.string(),
  image: processImage,
  images: z.string().optional(),
  confinement: confinement.optional(),
});
export type EngineSettings = z.infer<typeof engineSettings>;

/** To the host. Each but `class` is answered by its `call`. `engine` is the number that the engine was opened with. */
export const order = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("open"), call: z.number(), engine: z.number(), settings: engineSettings }),
  /** A class with containers is known from now on. */
  z.object({ kind: z.literal("class"), engine: z.number(), script: scriptName, className: z.string() }),
  z.object({ kind: z.literal("end"), call: z.number(), engine: z.number(), script: scriptName }),
  z.object({ kind: z.literal("stop"), call: z.number(), engine: z.number() }),
]);
export type Order = z.infer<typeof order>;

/** What is told of an engine that was opened. */
const openedEngine = z.object({
  address: z.string(),
  egressImage: z.string(),
  marker: z.string(),
  description: z.string(),
});

/** From the host. */
export const report = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("opened"), call: z.number(), opened: openedEngine }),
  z.object({ kind: z.literal("done"), call: z.number() }),
  z.object({ kind: z.literal("failed"), call: z.number(), message: z.string() }),
  /** All scripts of an engine that have a running container, whenever one starts or ends. */
  z.object({ kind: z.literal("awake"), engine: z.number(), scripts: z.array(scriptName) }),
  z.object({
    kind: z.literal("log"),
    engine: z.number(),
    area: z.string(),
    event: z.string(),
    fields: z.record(z.string(), z.unknown()).optional(),
  }),
]);
export type Report = z.infer<typeof report>;
