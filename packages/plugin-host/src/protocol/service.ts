import { type handleUnaryCall, type sendUnaryData, status, type UntypedServiceImplementation } from "@grpc/grpc-js";
import pluginProto from "@pulumi/pulumi/proto/plugin_pb.js";
import type * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { changes } from "../diff.ts";
import { UserError } from "../errors.ts";
import { fromStruct, toStruct } from "../properties.ts";
import type { Provider } from "../provider.ts";
import type { Calls } from "./calls.ts";
import { checkResponse, diffResponse } from "./responses.ts";

type Handler<Request, Response> = (request: Request, peer: string) => Response | Promise<Response>;

function unsupportedCall(name: string): handleUnaryCall<unknown, unknown> {
  return (_call, callback) => callback({ code: status.UNIMPLEMENTED, details: `${name} is not supported` });
}

/** Returns a package schema without properties. @throws UserError with several providers: the request does not name one */
function schemaOf(providers: readonly Provider[]): string {
  const [only] = providers;
  if (only === undefined || providers.length > 1) {
    throw new UserError("A server of several providers has no schema. Start a server for one provider.");
  }
  const resources = Object.fromEntries(only.types.map((type) => [type, {}]));
  return JSON.stringify({ name: only.name, version: only.version, resources });
}

/** Returns the gRPC service `pulumirpc.ResourceProvider` (pulumi: `proto/pulumi/provider.proto`). */
export function service(calls: Calls): UntypedServiceImplementation {
  function unary<Request, Response>(handle: Handler<Request, Response>, token: (request: Request) => string) {
    return async (call: Parameters<handleUnaryCall<Request, Response>>[0], callback: sendUnaryData<Response>) => {
      const peer = call.getPeer();
      await calls
        .run(() => handle(call.request, peer), token(call.request), peer)
        .then((response) => callback(null, response), callback);
    };
  }
  const noToken = () => "";
  const byType = (request: { getType(): string }) => request.getType();

  return {
    handshake: unary((request: pb.ProviderHandshakeRequest, peer) => {
      calls.peers.handshake(peer, request.getEngineAddress());
      // The engine sends plain inputs, and marks them secret again in the state.
      const response = new proto.ProviderHandshakeResponse();
      response.setAcceptSecrets(false);
      return response;
    }, noToken),
    attach: unary(() => new emptyProto.Empty(), noToken),
    getPluginInfo: unary(() => {
      const response = new pluginProto.PluginInfo();
      response.setVersion(calls.version);
      return response;
    }, noToken),
    getSchema: unary(() => {
      const response = new proto.GetSchemaResponse();
      response.setSchema(schemaOf(calls.providers));
      return response;
    }, noToken),
    // Calls in progress go on, so that the state gets the resources that they create.
    cancel: unary((_request: unknown, peer) => {
      calls.peers.get(peer).cancellation.abort();
      return new emptyProto.Empty();
    }, noToken),
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
    }, noToken),
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
    parameterize: unsupportedCall("Parameterize"),
    call: unsupportedCall("Call"),
    construct: unsupportedCall("Construct"),
    getMapping: unsupportedCall("GetMapping"),
    getMappings: unsupportedCall("GetMappings"),
  };
}
