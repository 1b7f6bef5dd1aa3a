import { UserError } from "./errors.ts";
import type { Provider } from "./provider.ts";
import { PORT_VARIABLE, startServer } from "./server.ts";

/** Longest wait, in milliseconds, for calls under way when the plugin is told to end; the engine kills it after 5 s. */
const GRACE = 4_500;

/** A server that another process runs. */
function serverElsewhere(port: string) {
  const number = Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) {
    throw new UserError(
      `${PORT_VARIABLE} is '${port}', which is not a port. Set it to the port that a running provider server printed, or unset it.`,
    );
  }
  return { port: number, stop: async () => {} };
}

/**
 * Runs the process as a plugin of the engine. It starts a server for `providers`, prints its port as the first line of standard output,
 * and runs until SIGINT, SIGTERM or the end of standard input. Then it waits up to 4.5 seconds for operations under way, and exits with
 * code 0.
 *
 * With the environment variable `PULUMI_PLUGIN_HOST_PORT` it starts no server: it prints that port, and the engine calls the provider server
 * that another process runs there, for example one under a debugger.
 *
 * Standard output belongs to the engine until the port is printed: write logs to standard error.
 *
 * @param providers the providers of the plugin. The plugin `pulumi-resource-NAME` serves the provider `NAME`
 * @throws UserError when `PULUMI_PLUGIN_HOST_PORT` is not a port from 1 to 65535
 */
export async function runPlugin(providers: readonly Provider[]): Promise<void> {
  const elsewhere = process.env[PORT_VARIABLE];
  const server = elsewhere ? serverElsewhere(elsewhere) : await startServer(providers);
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
