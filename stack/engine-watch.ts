/** A thread that kills its process when the engine, whose address (`host:port`) it is given, is gone. */
import { connect } from "node:http2";
import { workerData } from "node:worker_threads";
import * as z from "zod";

const engine = z.string().parse(workerData);
const end = () => process.kill(process.pid, "SIGKILL");
// The engine serves gRPC: a session stays open, without a call, for as long as it lives.
connect(`http://${engine}`).on("error", end).on("close", end);
