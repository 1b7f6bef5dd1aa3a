import { Metadata, status } from "@grpc/grpc-js";
import providerProto from "@pulumi/pulumi/proto/provider_pb.js";
import statusProto from "@pulumi/pulumi/proto/status_pb.js";
import anyProto from "google-protobuf/google/protobuf/any_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";

/** A gRPC status. The engine shows the message unchanged. */
export class StatusError extends Error {
  override name = "StatusError";
  readonly metadata: Metadata;

  constructor(message: string, metadata = new Metadata()) {
    super(message);
    this.metadata = metadata;
  }
}

/** Returns the status of a resource that exists but is incomplete (`ErrorResourceInitFailed`). */
export function partialStatus(id: string, properties: Struct, inputs: Struct, reason: string): StatusError {
  const failed = new providerProto.ErrorResourceInitFailed();
  failed.setId(id);
  failed.setProperties(properties);
  failed.setInputs(inputs);
  failed.setReasonsList([reason]);
  const detail = new anyProto.Any();
  detail.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const message = new statusProto.Status();
  message.setCode(status.UNKNOWN);
  message.setMessage(reason);
  message.addDetails(detail);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(message.serializeBinary()));
  return new StatusError(reason, metadata);
}
