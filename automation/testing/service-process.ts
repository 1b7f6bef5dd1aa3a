import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { TestDatabase } from "#database/testing/test-database.ts";
import { testVariables } from "./settings.ts";
import { Lines } from "./test-service.ts";

const PROGRAM = join(import.meta.dirname, "../main.ts");

export interface ServiceProcess {
  lines: Lines;
  /** Standard error. */
  readonly faults: string;
  healthUrl(): Promise<string>;
  /** @returns exit code or signal */
  kill(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
  ended: Promise<number | NodeJS.Signals | null>;
}

const running = new Set<ChildProcess>();

/** Kills running services; call it after each test. */
export function killServiceProcesses(): void {
  for (const child of running) child.kill("SIGKILL");
}

export function startServiceProcess(
  database: TestDatabase,
  changed: Readonly<Record<string, string | undefined>> = {},
): ServiceProcess {
  const given = Object.entries(testVariables(database, changed)).filter(([, value]) => value !== undefined);
  const child: ChildProcess = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", PROGRAM], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...Object.fromEntries(given) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  child.on("close", () => running.delete(child));
  const lines = new Lines();
  let faults = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => lines.add(text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    faults += text;
  });
  const ended = once(child, "close").then(([code, signal]) => code ?? signal);
  return {
    lines,
    ended,
    get faults() {
      return faults;
    },
    healthUrl: async () => String((await lines.find(({ event }) => event === "ready")).health),
    async kill(signal = "SIGKILL") {
      child.kill(signal);
      return ended;
    },
  };
}
