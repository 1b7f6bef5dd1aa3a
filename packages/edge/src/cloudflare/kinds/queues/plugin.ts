import type { PluginPart } from "../../plugin/part.ts";
import { queueConsumer } from "./plugin-consumer.ts";
import { queue } from "./plugin-queue.ts";

export const plugin: PluginPart = { resources: [queue, queueConsumer] };
