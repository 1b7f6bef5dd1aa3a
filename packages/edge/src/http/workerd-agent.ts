/** Connections kept open to workerd, which itself closes one that was idle for five seconds. */
import { Agent } from "node:http";

export const workerdAgent = new Agent({ keepAlive: true, timeout: 4_000 });
