/**
 * Gives each run of the engine connections of its own. The library shares those of one process by address, so that a port which an engine
 * that has ended had before is taken for dead, for seconds, by the next run whose engine happens to have it. Imported for this effect alone.
 */
import * as settings from "@pulumi/pulumi/runtime/settings.js";

/** The SDK's options for its clients, which its types leave out. */
const options: unknown = Reflect.get(settings, "grpcClientOptions");
if (typeof options === "object" && options !== null) Object.assign(options, { "grpc.use_local_subchannel_pool": 1 });
