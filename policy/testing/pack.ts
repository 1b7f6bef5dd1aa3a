/** The pack as the engine runs it: its executable, over the engine's protocol. */
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

/** A violation, without the rule's description in its message. */
export interface Violation {
  rule: string;
  level: "advisory" | "mandatory";
  resource: string;
  message: string;
}

/** A rule's level and settings. */
export type RuleConfig = Readonly<Record<string, structs.JavaScriptValue>>;

export interface Pack {
  /** Returns the violations of a program's resources. */
  judge(program: () => unknown, config?: Readonly<Record<string, RuleConfig>>): Promise<Violation[]>;
  /** Returns the violations of reported resources. */
  judgeReported(reports: Reported): Promise<Violation[]>;
  /** Closes the pack's input, as an exiting engine does. @returns the exit code */
  close(): Promise<number | null>;
}

export async function startPack(): Promise<Pack> {
  // The engine starts it in the program's directory, so it must not depend on the working directory.
  const child = spawn(join(import.meta.dirname, "../run"), ["127.0.0.1:1"], {
    cwd: tmpdir(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  const [port] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    exit.then(() => Promise.reject(new Error("The pack exited before it served requests."))),
  ]);
  const client = new grpcProto.AnalyzerClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const call = <R>(send: (callback: (error: Error | null, response: R) => void) => void) =>
    new Promise<R>((resolve, reject) => send((error, response) => (error ? reject(error) : resolve(response))));

  const judgeReported = async ({ resources, stack }: Reported): Promise<Violation[]> => {
    const violations: Violation[] = [];
    for (const request of resources) {
      const response = await call<pb.AnalyzeResponse>((callback) => client.analyze(request, callback));
      violations.push(...violationsOf(response, request.getUrn()));
    }
    const response = await call<pb.AnalyzeResponse>((callback) => client.analyzeStack(stack, callback));
    return [...violations, ...violationsOf(response)];
  };
  return {
    judgeReported,
    async judge(program, config = {}) {
      const request = configured(config);
      await call<unknown>((callback) => client.configure(request, callback));
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
