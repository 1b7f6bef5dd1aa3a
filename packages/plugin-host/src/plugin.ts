import { UserError } from "./errors.ts";
import type { Provider } from "./provider.ts";
import { PORT_VARIABLE, startServer } from "./server.ts";

/** Longest wait for calls in progress at shutdown. The engine kills the plugin after 5 s. */
const GRACE_MS = 4_500;

function externalServer(port: string) {
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
 * and runs until SIGINT, SIGTERM or the end of standard input. Then it waits at most 4.5 seconds for operations in progress, and exits with
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
  const externalPort = process.env[PORT_VARIABLE];
  const server = externalPort ? externalServer(externalPort) : await startServer(providers);
  const stop = async () => {
    setTimeout(() => process.exit(0), GRACE_MS).unref();
    await server.stop();
    process.exit(0);
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  process.stdin.once("end", stop).once("error", stop).resume();
  process.stdout.write(`${server.port}\n`);
}
