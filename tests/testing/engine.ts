/** Runs the engine's command line, and collects the engine's events. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineEvent, Stack } from "@pulumi/pulumi/automation/index.js";
import type { Edge } from "#local/edge.ts";
import { engineEnvironment, stateEnvironment } from "#local/start/project.ts";
import { providersPort } from "./platform.ts";

export const ROOT = join(import.meta.dirname, "../..");

/** Runs an operation. @returns each changed resource, as `operation Type name` */
export async function changedResources(
  stack: Stack,
  operation: "up" | "preview" | "refresh",
  options: { replace?: string[]; onOutput?: (text: string) => void } = {},
): Promise<string[]> {
  const changed: string[] = [];
  const onEvent = (event: EngineEvent) => {
    const metadata = (operation === "preview" ? event.resourcePreEvent : event.resOutputsEvent)?.metadata;
    if (metadata === undefined) return;
    const op = metadata.op === "refresh" ? refreshed(metadata) : metadata.op;
    if (op === "same" || op === "read" || metadata.type === "pulumi:pulumi:Stack") return;
    changed.push(`${op} ${metadata.type.split(":").at(-1)} ${metadata.urn.split("::").at(-1)}`);
  };
  await stack[operation]({ ...options, onEvent });
  return changed;
}

/** A refresh reports every resource; changes are in the states before and after. */
function refreshed(metadata: { old?: { outputs?: object }; new?: { outputs?: object } }): string {
  if (metadata.new === undefined) return "delete";
  return JSON.stringify(metadata.old?.outputs) === JSON.stringify(metadata.new.outputs) ? "same" : "update";
}

export interface CliRun {
  code: number | null;
  output: string;
}

/** Restores the engine's default for tests of the engine itself: it saves its state with each step. */
export const WITH_CHECKPOINTS = { PULUMI_SKIP_CHECKPOINTS: "" };

/** Returns variables of an automation service that deploys stacks of the edge's production platform `whole`. */
export function serviceVariables(edge: Edge): Record<string, string> {
  const secrets = Object.entries(process.env).filter(([name]) => /^(SECRETS_PROVIDER|VAULT_)/.test(name));
  return {
    ...stateEnvironment(edge.directory, edge, providersPort(edge)),
    ...Object.fromEntries(secrets),
    ...WITH_CHECKPOINTS,
    PLATFORM_STACK: "whole",
  };
}

/** Runs the engine's command line in `cwd` against an edge. @param variables override all others */
export function startPulumi(
  edge: Edge,
  cwd: string,
  args: string[],
  variables: Record<string, string> = {},
): { child: ChildProcess; ended: Promise<CliRun> } {
  const child = spawn("pulumi", ["--non-interactive", "--color=never", ...args], {
    cwd,
    env: {
      ...process.env,
      ...engineEnvironment(edge.directory, edge, "production", providersPort(edge)),
      ...WITH_CHECKPOINTS,
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    output += chunk;
  });
  const ended = new Promise<CliRun>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
  return { child, ended };
}

/**
 * Kills a process and its descendants, because the engine's plugins have process groups of their own. Each is stopped first, so that it
 * neither starts another nor ends meanwhile.
 */
export function killTree(pid: number): void {
  const family = new Set<number>();
  for (let found = [pid]; found.length > 0; found = descendants(pid).filter((member) => !family.has(member))) {
    for (const member of found) {
      family.add(member);
      signal(member, "SIGSTOP");
    }
  }
  for (const member of family) signal(member, "SIGKILL");
}

function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${entry}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      parents.set(Number(entry), Number(fields[1]));
    } catch {
      // It has ended.
    }
  }
  const family = [pid];
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  }
  return family;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Runs the engine's command line to its end. */
export function pulumi(edge: Edge, cwd: string, args: string[]): Promise<CliRun> {
  return startPulumi(edge, cwd, args).ended;
}
