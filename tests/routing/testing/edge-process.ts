/** Runs an edge in a process of its own, which tests can kill. Arguments: state directory, port, image of the gateway. */
import { startEdge } from "#local/edge.ts";

const [directory = "", port = "", image = ""] = process.argv.slice(2);
const edge = await startEdge({
  directory,
  port: Number(port),
  pushed: [image],
  // As the command `tenantry-edge` does.
  onLost: () => void edge.stop().finally(() => process.exit(1)),
});
const { containers } = edge;
const marker = "marker" in containers ? containers.marker : undefined;
process.stdout.write(`ready ${JSON.stringify({ address: containers.address, marker })}\n`);
process.on("SIGTERM", () => void edge.stop().finally(() => process.exit(0)));
