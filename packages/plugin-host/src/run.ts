import { credentials, Metadata } from "@grpc/grpc-js";
import grpcProto from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/engine_pb.js";

/**
 * The run of the engine that an operation belongs to. The methods resolve when the engine has the message, after at most 2 seconds. They
 * never reject: a message that the engine does not accept is dropped.
 */
export interface Run {
  /**
   * Aborted when the user cancels the run (Ctrl-C). The engine then waits for operations in progress: a long one should throw, unless it
   * has created something that the state must keep.
   */
  cancelled: AbortSignal;
  /** Shows a message beside the resource during the operation. */
  status(message: string): Promise<void>;
  /** Shows a warning. The engine repeats it at the end of the run. */
  warn(message: string): Promise<void>;
  /** Shown only with the engine's option `--debug`. */
  debug(message: string): Promise<void>;
}

const LOG_TIMEOUT_MS = 2_000;

/** Returns the run of an operation (pulumi: `proto/pulumi/engine.proto`). @param address of the engine; undefined drops messages */
export function runFor(address: string | undefined, urn: string, cancelled: AbortSignal): Run {
  const send = (severity: 0 | 1 | 2, message: string, ephemeral: boolean) =>
    new Promise<void>((resolve) => {
      if (address === undefined) return resolve();
      const request = new proto.LogRequest();
      request.setSeverity(severity);
      request.setMessage(message);
      request.setUrn(urn);
      request.setEphemeral(ephemeral);
      // Each message has its own connection: an open one would reconnect after the engine has exited.
      const engine = new grpcProto.EngineClient(address, credentials.createInsecure(), {
        "grpc.enable_http_proxy": 0,
        "grpc.use_local_subchannel_pool": 1,
      });
      engine.log(request, new Metadata(), { deadline: Date.now() + LOG_TIMEOUT_MS }, () => {
        engine.close();
        resolve();
      });
    });
  return {
    cancelled,
    status: (message) => send(proto.LogSeverity.INFO, message, true),
    warn: (message) => send(proto.LogSeverity.WARNING, message, false),
    debug: (message) => send(proto.LogSeverity.DEBUG, message, false),
  };
}
