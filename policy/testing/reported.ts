/** The engine's requests to a policy pack for a program's resources, from the SDK's requests and mocked providers. */
import * as pulumi from "@pulumi/pulumi";
import type * as pb from "@pulumi/pulumi/proto/analyzer_pb.js";
import proto from "@pulumi/pulumi/proto/analyzer_pb.js";
import type * as resources from "@pulumi/pulumi/proto/resource_pb.js";
import structs from "google-protobuf/google/protobuf/struct_pb.js";
import { declare } from "#components/testing/declared.ts";

export interface Reported {
  /** Each resource as requested. */
  resources: pb.AnalyzeRequest[];
  /** All resources at the end of the run. */
  stack: pb.AnalyzeStackRequest;
}

/** The used part of the SDK's mocked engine. */
interface Monitor {
  registerResource(
    request: resources.RegisterResourceRequest,
    callback: (error: unknown, response: resources.RegisterResourceResponse) => void,
  ): Promise<void>;
  registerResourceOutputs(
    request: resources.RegisterResourceOutputsRequest,
    callback: (error: unknown, response: unknown) => void,
  ): void;
}

export async function reported(program: () => unknown): Promise<Reported> {
  const found: { request: resources.RegisterResourceRequest; urn: string }[] = [];
  const outputs = new Map<string, structs.Struct | undefined>();
  await declare(program, () => {
    const monitor = pulumi.runtime.getMonitor() as unknown as Monitor;
    const [register, finish] = [monitor.registerResource.bind(monitor), monitor.registerResourceOutputs.bind(monitor)];
    monitor.registerResource = (request, callback) =>
      register(request, (error, response) => {
        if (response !== undefined) {
          found.push({ request, urn: response.getUrn() });
          outputs.set(response.getUrn(), response.getObject());
        }
        callback(error, response);
      });
    monitor.registerResourceOutputs = (request, callback) => {
      outputs.set(request.getUrn(), request.getOutputs());
      finish(request, callback);
    };
  });
  const all = found.map(({ request, urn }) => fill(new proto.AnalyzerResource(), request, urn, outputs.get(urn)));
  for (const [index, { request }] of found.entries()) relate(all[index], request);
  return {
    resources: found.map(({ request, urn }) => fill(new proto.AnalyzeRequest(), request, urn, request.getObject())),
    stack: new proto.AnalyzeStackRequest().setResourcesList(all),
  };
}

function fill<T extends pb.AnalyzeRequest | pb.AnalyzerResource>(
  into: T,
  request: resources.RegisterResourceRequest,
  urn: string,
  properties: structs.Struct | undefined,
): T {
  const options = new proto.AnalyzerResourceOptions();
  options.setProtect(request.getProtect() ?? false);
  options.setAdditionalsecretoutputsList(request.getAdditionalsecretoutputsList());
  options.setParent(request.getParent());
  into.setUrn(urn);
  into.setType(request.getType());
  into.setName(request.getName());
  into.setOptions(options);
  into.setProperties(properties ?? structs.Struct.fromJavaScript({}));
  return into;
}

function relate(resource: pb.AnalyzerResource | undefined, request: resources.RegisterResourceRequest): void {
  if (resource === undefined) return;
  resource.setParent(request.getParent());
  resource.setDependenciesList(request.getDependenciesList());
  request.getPropertydependenciesMap().forEach((dependencies, property) => {
    const urns = new proto.AnalyzerPropertyDependencies();
    urns.setUrnsList(dependencies.getUrnsList());
    resource.getPropertydependenciesMap().set(property, urns);
  });
}
