import { credentials, Metadata } from "@grpc/grpc-js";
import grpcProto from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/engine_pb.js";

/** The engine's side of an operation on a resource. Nothing here fails. */
export interface Run {
  /** Aborted when whoever runs the engine asks it to end. */
  cancelled: AbortSignal;
  /** Shown beside the resource while its operation lasts. */
  status(message: string): Promise<void>;
  /** Shown, and repeated when the run has ended. */
  warn(message: string): Promise<void>;
  /** Shown only with the engine's option `--debug`. */
  debug(message: string): Promise<void>;
}

/** Longest wait for the engine to take a line, in milliseconds. */
const PATIENCE_MS = 2_000;

/**
 * An operation on the resource `urn` for the engine at `address` (pulumi: `proto/pulumi/engine.proto`).
 *
 * @param address undefined where no engine has told its own; what is said is dropped then
 */
export function runFor(address: string | undefined, urn: string, cancelled: AbortSignal): Run {
  const send = (severity: 0 | 1 | 2, message: string, ephemeral: boolean) =>
    new Promise<void>((resolve) => {
      if (address === undefined) return resolve();
      const request = new proto.LogRequest();
      request.setSeverity(severity);
      request.setMessage(message);
      request.setUrn(urn);
      request.setEphemeral(ephemeral);
      // A connection kept open would try to find an engine again that has ended.
      const engine = new grpcProto.EngineClient(address, credentials.createInsecure(), {
        "grpc.enable_http_proxy": 0,
        "grpc.use_local_subchannel_pool": 1,
      });
      engine.log(request, new Metadata(), { deadline: Date.now() + PATIENCE_MS }, () => {
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
