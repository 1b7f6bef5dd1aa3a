/** The pack as the engine runs it: its executable, spoken to as the engine does. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import grpc from "@grpc/grpc-js";
import grpcProto from "@pulumi/pulumi/proto/analyzer_grpc_pb.js";
import type * as pb from "@pulumi/pulumi/proto/analyzer_pb.js";
import proto from "@pulumi/pulumi/proto/analyzer_pb.js";
import structs from "google-protobuf/google/protobuf/struct_pb.js";
import { type Reported, reported } from "./reported.ts";

/** One violation, with the rule's description left out of its words. */
export interface Violation {
  rule: string;
  level: "advisory" | "mandatory";
  resource: string;
  message: string;
}

/** A rule's level and settings. */
export type RuleConfig = Readonly<Record<string, structs.JavaScriptValue>>;

export interface Pack {
  /** What the pack says of what a program declares. */
  judge(program: () => unknown, config?: Readonly<Record<string, RuleConfig>>): Promise<Violation[]>;
  /** What it says of what was reported. */
  judgeReported(reports: Reported): Promise<Violation[]>;
  /** Closes its input, as an engine does that ends. @returns its exit code */
  close(): Promise<number | null>;
}

export async function startPack(): Promise<Pack> {
  // As with the engine, which starts it in the program's directory, the working directory is no business of its own.
  const child = spawn(join(import.meta.dirname, "../run"), ["127.0.0.1:1"], {
    cwd: tmpdir(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  const [port] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    exit.then(() => Promise.reject(new Error("The pack ended before it served."))),
  ]);
  const client = new grpcProto.AnalyzerClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const answer = <R>(call: (callback: (error: Error | null, response: R) => void) => void) =>
    new Promise<R>((resolve, reject) => call((error, response) => (error ? reject(error) : resolve(response))));

  const judgeReported = async ({ resources, stack }: Reported): Promise<Violation[]> => {
    const violations: Violation[] = [];
    for (const request of resources) {
      const response = await answer<pb.AnalyzeResponse>((callback) => client.analyze(request, callback));
      violations.push(...violationsOf(response, request.getUrn()));
    }
    const response = await answer<pb.AnalyzeResponse>((callback) => client.analyzeStack(stack, callback));
    return [...violations, ...violationsOf(response)];
  };
  return {
    judgeReported,
    async judge(program, config = {}) {
      const request = configured(config);
      await answer<unknown>((callback) => client.configure(request, callback));
      return judgeReported(await reported(program));
    },
    async close() {
      client.close();
      child.stdin.end();
      const [code] = await exit;
      return code;
    },
  };
}

function configured(config: Readonly<Record<string, RuleConfig>>): pb.ConfigureAnalyzerRequest {
  const request = new proto.ConfigureAnalyzerRequest();
  for (const [rule, { enforcementLevel, ...settings }] of Object.entries(config)) {
    const entry = new proto.PolicyConfig();
    entry.setEnforcementlevel(
      enforcementLevel === "disabled" ? proto.EnforcementLevel.DISABLED : proto.EnforcementLevel.MANDATORY,
    );
    entry.setProperties(structs.Struct.fromJavaScript(settings));
    request.getPolicyconfigMap().set(rule, entry);
  }
  return request;
}

function violationsOf(response: pb.AnalyzeResponse, urn = ""): Violation[] {
  return response.getDiagnosticsList().map((diagnostic) => ({
    rule: diagnostic.getPolicyname(),
    level: diagnostic.getEnforcementlevel() === proto.EnforcementLevel.MANDATORY ? "mandatory" : "advisory",
    resource: (diagnostic.getUrn() || urn).split("::").slice(-1).join(),
    message: diagnostic.getMessage().replace(`${diagnostic.getDescription()}\n`, ""),
  }));
}
