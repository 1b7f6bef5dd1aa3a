/** Stores the points that a Worker writes to its analytics dataset, as the local edge does. */
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Analytics, type DataPoint } from "@tenantry/edge/analytics";
import { nativeBindings } from "@tenantry/edge/workerd";
import { listen } from "@tenantry/std/listening";

export interface CapturedAnalytics {
  /** The binding, for `unsafeBindings`. */
  bindings: ReturnType<typeof nativeBindings>;
  /** Oldest first. */
  points(): DataPoint[];
  stop(): Promise<void>;
}

const DATASET = "tenantry";

/** @param directory stores the points */
export async function captureAnalytics(directory: string): Promise<CapturedAnalytics> {
  const analytics = new Analytics(directory);
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        analytics.append(DATASET, body);
        response.writeHead(200).end();
      },
      () => response.destroy(),
    );
  });
  const socket = join(directory, "analytics.sock");
  await listen(server, { path: socket });
  return {
    bindings: nativeBindings([
      { type: "analyticsEngine", name: "ANALYTICS", options: { address: `unix:${socket}`, headers: [] } },
    ]),
    points: () => analytics.points(DATASET),
    async stop() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      analytics.close();
    },
  };
}
