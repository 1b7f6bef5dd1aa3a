import { Server, ServerCredentials } from "@grpc/grpc-js";
import grpcProto from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { withTimeout } from "@tenantry/std/within";
import { Calls } from "./protocol/calls.ts";
import { service } from "./protocol/service.ts";
import type { ProcessVariables, Provider } from "./provider.ts";

/** Name of the environment variable with the port of a running provider server: `PULUMI_PLUGIN_HOST_PORT`. See `runPlugin`. */
export const PORT_VARIABLE = "PULUMI_PLUGIN_HOST_PORT";

/**
 * Returns environment variables for a run of the engine: its plugins use the running server, and it downloads no plugins. The executables
 * of the plugins must exist.
 */
export function pluginEnvironment({ port }: Pick<ProviderServer, "port">): Record<string, string> {
  return { [PORT_VARIABLE]: String(port), PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" };
}

/** A running provider server. */
export interface ProviderServer {
  /** TCP port on 127.0.0.1. */
  port: number;
  /** Waits for calls in progress, then closes all connections. */
  stop(): Promise<void>;
}

/** The engine's limit on a message (pulumi: `rpcutil.MaxRPCMessageSize`). */
const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;

/** Longest wait for the last responses to reach their clients. */
const FLUSH_MS = 250;

/**
 * Serves providers on a free port of 127.0.0.1, without TLS and without authentication, for any number of concurrent engine runs. Use it
 * in tests, and for a server that outlives a run. A plugin's executable calls `runPlugin`.
 *
 * @param providers providers with different names
 * @param variables argument of each provider's `connect`. Default: the environment of the process
 * @throws Error when no port can be opened
 */
export async function startServer(
  providers: readonly Provider[],
  variables: ProcessVariables = process.env,
): Promise<ProviderServer> {
  const calls = new Calls(providers, variables);
  const server = new Server({ "grpc.max_receive_message_length": MAX_MESSAGE_BYTES });
  server.addService(grpcProto.ResourceProviderService, service(calls));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    port,
    async stop() {
      await calls.idle();
      // `tryShutdown` never ends while a connection without an HTTP/2 session is open.
      await withTimeout(FLUSH_MS, new Promise<void>((resolve) => server.tryShutdown(() => resolve())));
      server.forceShutdown();
    },
  };
}
