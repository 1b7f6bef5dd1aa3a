import { Metadata, type StatusObject, status } from "@grpc/grpc-js";
import providerProto from "@pulumi/pulumi/proto/provider_pb.js";
import statusProto from "@pulumi/pulumi/proto/status_pb.js";
import anyProto from "google-protobuf/google/protobuf/any_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";

/** Carries a status that is complete already. */
export class StatusError extends Error {
  override name = "StatusError";
  readonly status: StatusObject;

  constructor(complete: StatusObject) {
    super(complete.details);
    this.status = complete;
  }
}

/** The gRPC status of an error: the engine shows `details` as it stands. */
export function errorStatus(details: string): StatusObject {
  return { code: status.UNKNOWN, details, metadata: new Metadata() };
}

/** The status of a resource that exists but is not complete (`ErrorResourceInitFailed`). */
export function partialStatus(id: string, properties: Struct, inputs: Struct, reason: string): StatusObject {
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
  return { code: status.UNKNOWN, details: reason, metadata };
}
