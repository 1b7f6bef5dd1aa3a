import { type handleUnaryCall, type sendUnaryData, status, type UntypedServiceImplementation } from "@grpc/grpc-js";
import pluginProto from "@pulumi/pulumi/proto/plugin_pb.js";
import type * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { changes } from "../diff.ts";
import { fromStruct, toStruct } from "../properties.ts";
import type { Calls } from "./calls.ts";
import { checkResponse, diffResponse } from "./responses.ts";
import { schemaOf } from "./schema.ts";

type Handlers = UntypedServiceImplementation;
type Answer<Request, Response> = (request: Request, peer: string) => Response | Promise<Response>;

/** A call the engine may make that no provider here has a use for. */
function unsupported(name: string): handleUnaryCall<unknown, unknown> {
  return (_call, callback) => callback({ code: status.UNIMPLEMENTED, details: `${name} is not supported` });
}

/** The gRPC service `pulumirpc.ResourceProvider` (pulumi: `proto/pulumi/provider.proto`). */
export function service(calls: Calls): Handlers {
  function unary<Request, Response>(answer: Answer<Request, Response>, token: (request: Request) => string) {
    return async (call: Parameters<handleUnaryCall<Request, Response>>[0], callback: sendUnaryData<Response>) => {
      const peer = call.getPeer();
      const outcome = await calls.run(() => answer(call.request, peer), token(call.request), peer);
      if (outcome.kind === "answer") callback(null, outcome.value);
      else callback(outcome.status);
    };
  }
  const none = () => "";
  const byType = (request: { getType(): string }) => request.getType();

  return {
    handshake: unary((request: pb.ProviderHandshakeRequest, peer) => {
      calls.peers.shakeHands(peer, request.getEngineAddress());
      // Secrets stay the engine's business: inputs come plain, and it marks them again in what goes to the state.
      const response = new proto.ProviderHandshakeResponse();
      response.setAcceptSecrets(false);
      return response;
    }, none),
    attach: unary(() => new emptyProto.Empty(), none),
    getPluginInfo: unary(() => {
      const response = new pluginProto.PluginInfo();
      response.setVersion(calls.version);
      return response;
    }, none),
    getSchema: unary(() => {
      const response = new proto.GetSchemaResponse();
      response.setSchema(schemaOf(calls.providers));
      return response;
    }, none),
    // Requests in flight are let finish, so that what they make is saved; those that only wait may give up.
    cancel: unary((_request: unknown, peer) => {
      calls.peers.cancel(peer);
      return new emptyProto.Empty();
    }, none),
    checkConfig: unary(
      (request: pb.CheckRequest) =>
        checkResponse(calls.peers.provider(request.getType()).checkConfig(fromStruct(request.getNews()))),
      byType,
    ),
    diffConfig: unary((request: pb.DiffRequest) => {
      const old = fromStruct(request.getOldInputs());
      const found = changes(old, fromStruct(request.getNews()));
      return diffResponse({ changes: found, replaces: [], deleteBeforeReplace: false });
    }, byType),
    configure: unary((request: pb.ConfigureRequest, peer) => {
      calls.peers.configure(peer, fromStruct(request.getArgs()));
      const response = new proto.ConfigureResponse();
      response.setAcceptsecrets(false);
      response.setSupportspreview(true);
      return response;
    }, none),
    invoke: unary(
      async (request: pb.InvokeRequest, peer) => {
        const result = await calls.invoke(request.getTok(), fromStruct(request.getArgs()), peer);
        const response = new proto.InvokeResponse();
        response.setReturn(toStruct(result));
        return response;
      },
      (request) => request.getTok(),
    ),
    check: unary((request: pb.CheckRequest, peer) => {
      const resource = calls.resource(peer, request.getType());
      return checkResponse(resource.check(fromStruct(request.getNews()), request.getUrn()));
    }, byType),
    diff: unary((request: pb.DiffRequest, peer) => {
      const resource = calls.resource(peer, request.getType());
      return diffResponse(resource.diff(fromStruct(request.getOldInputs()), fromStruct(request.getNews())));
    }, byType),
    create: unary((request: pb.CreateRequest, peer) => calls.create(request, peer), byType),
    read: unary((request: pb.ReadRequest, peer) => calls.read(request, peer), byType),
    update: unary((request: pb.UpdateRequest, peer) => calls.update(request, peer), byType),
    delete: unary(async (request: pb.DeleteRequest, peer) => {
      await calls.delete(request, peer);
      return new emptyProto.Empty();
    }, byType),
    parameterize: unsupported("Parameterize"),
    call: unsupported("Call"),
    construct: unsupported("Construct"),
    getMapping: unsupported("GetMapping"),
    getMappings: unsupported("GetMappings"),
  };
}
