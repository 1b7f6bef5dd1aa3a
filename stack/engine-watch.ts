/** Thread that kills its process when the engine at the given address (`host:port`) exits. */
import { connect } from "node:http2";
import { workerData } from "node:worker_threads";
import * as z from "zod";

const engine = z.string().parse(workerData);
const killProcess = () => process.kill(process.pid, "SIGKILL");
// The engine serves gRPC over HTTP/2: a session without requests stays open until the engine exits.
connect(`http://${engine}`).on("error", killProcess).on("close", killProcess);
