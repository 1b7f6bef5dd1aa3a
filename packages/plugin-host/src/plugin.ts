import type { Provider } from "./provider.ts";
import { startServer } from "./server.ts";

/** Longest wait, in milliseconds, for calls under way when the plugin is told to end; the engine kills it after 5 s. */
const GRACE = 4_500;

/**
 * Runs as an engine plugin: prints the port of a server of `providers`, then waits for SIGINT, which the engine sends
 * after every run, for SIGTERM, or for the end of its input, which says that the engine is gone.
 */
export async function runPlugin(providers: readonly Provider[]): Promise<void> {
  const server = await startServer(providers);
  const end = async () => {
    setTimeout(() => process.exit(0), GRACE).unref();
    await server.stop();
    process.exit(0);
  };
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  process.stdin.once("end", end).once("error", end).resume();
  process.stdout.write(`${server.port}\n`);
}
