import { Server, ServerCredentials } from "@grpc/grpc-js";
import grpcProto from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { Calls } from "./calls.ts";
import type { ProcessVariables, Provider } from "./provider.ts";
import { service } from "./service.ts";

/** Variable by which a plugin's executable learns the port of a server that runs already. */
export const PORT_VARIABLE = "PLUGIN_HOST_PORT";

/** Environment that makes the engine's plugins be `server`, and keeps the engine from downloading any. */
export function pluginEnvironment({ port }: Pick<ProviderServer, "port">): Record<string, string> {
  return { [PORT_VARIABLE]: String(port), PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" };
}

/** A running provider server. */
export interface ProviderServer {
  /** TCP port on 127.0.0.1. */
  port: number;
  /** Lets the calls under way end, then closes the connections; for none that says nothing does it wait. */
  stop(): Promise<void>;
}

/** The engine's own limit on a message (pulumi: `rpcutil.MaxRPCMessageSize`), in bytes. */
const MAX_MESSAGE = 400 * 1024 * 1024;

/** Longest wait, in milliseconds, for the last answers to reach their clients. */
const LAST_ANSWERS_MS = 250;

/**
 * Serves `providers` on a free port of 127.0.0.1.
 *
 * @param variables where what a provider's configuration leaves out is looked for. Default: those of the process
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
