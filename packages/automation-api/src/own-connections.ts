/**
 * Gives each engine its own connections. gRPC shares connections of a process by address, so it would consider the port of an engine that
 * ended dead for seconds, although the next engine has it. Import it for this effect.
 */
import * as settings from "@pulumi/pulumi/runtime/settings.js";

/** Not in the types of the SDK. */
const options: unknown = Reflect.get(settings, "grpcClientOptions");
if (typeof options === "object" && options !== null) Object.assign(options, { "grpc.use_local_subchannel_pool": 1 });
