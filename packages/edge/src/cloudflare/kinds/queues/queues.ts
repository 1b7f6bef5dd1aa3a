import type { Kind } from "../../kind.ts";
import { queuesApi } from "./api.ts";
import { queueBinding } from "./binding.ts";
import { queueConsumersApi } from "./consumers.ts";

export const queues: Kind = {
  api: [queuesApi, queueConsumersApi],
  bindings: { queue: queueBinding },
  ingredients: { account: ["queue", "queue_consumer"] },
  plugin: () => import("./plugin.ts"),
};
