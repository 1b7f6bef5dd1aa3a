import { Server, ServerCredentials } from "@grpc/grpc-js";
import grpcProto from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { Calls } from "./protocol/calls.ts";
import { service } from "./protocol/service.ts";
import type { ProcessVariables, Provider } from "./provider.ts";

/** Name of the environment variable with the port of a running provider server: `PULUMI_PLUGIN_HOST_PORT`. See `runPlugin`. */
export const PORT_VARIABLE = "PULUMI_PLUGIN_HOST_PORT";

/**
 * Environment variables for a run of the engine that makes plugins use `server`, and that keeps the engine from downloading plugins. The
 * executables of the plugins must still exist.
 */
export function pluginEnvironment({ port }: Pick<ProviderServer, "port">): Record<string, string> {
  return { [PORT_VARIABLE]: String(port), PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" };
}

/** A running provider server. */
export interface ProviderServer {
  /** TCP port on 127.0.0.1. */
  port: number;
  /** Waits for calls under way, then closes all connections. */
  stop(): Promise<void>;
}

/** The engine's own limit on a message (pulumi: `rpcutil.MaxRPCMessageSize`), in bytes. */
const MAX_MESSAGE = 400 * 1024 * 1024;

/** Longest wait, in milliseconds, for the last answers to reach their clients. */
const LAST_ANSWERS_MS = 250;

/**
 * Serves providers on a free port of 127.0.0.1, without TLS and without authentication, for any number of engine runs at a time. Use it
 * for tests, and for a server that outlives a run; a plugin's executable calls `runPlugin`.
 *
 * @param providers providers with different names
 * @param variables what each provider's `connect` gets. Default: the environment of the process
 * @throws Error when no port can be opened
 */
export async function startServer(
  providers: readonly Provider[],
  variables: ProcessVariables = process.env,
): Promise<ProviderServer> {
  const calls = new Calls(providers, variables);
  const server = new Server({ "grpc.max_receive_message_length": MAX_MESSAGE });
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
      await new Promise<void>((resolve) => {
        const late = setTimeout(() => {
          server.forceShutdown();
          // A connection on which nothing was said yet is no session, and so is not ended by that.
          resolve();
        }, LAST_ANSWERS_MS);
        server.tryShutdown(() => {
          clearTimeout(late);
          resolve();
        });
      });
    },
  };
}
