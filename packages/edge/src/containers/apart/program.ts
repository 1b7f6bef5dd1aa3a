/** The host's process: container engines, by the order of who started it. Its end is their end. */
import { type ContainerEngineOptions, type ProcessEngine, startContainerEngine } from "../engine.ts";
import { type EngineSettings, type Order, order, type Report } from "./messages.ts";

const engines = new Map<number, ProcessEngine>();

const report = (message: Report): void => {
  process.send?.(message);
};

async function open(call: number, engine: number, settings: EngineSettings): Promise<void> {
  const { confinement, ...others } = settings;
  const options: ContainerEngineOptions = {
    ...others,
    ...(confinement && { confinement }),
    onAwake: (scripts) => report({ kind: "awake", engine, scripts }),
    log: (area, event, fields) => report({ kind: "log", engine, area, event, ...(fields && { fields }) }),
  };
  const opened = await startContainerEngine(options);
  engines.set(engine, opened);
  const { address, egressImage, marker, description } = opened;
  report({ kind: "opened", call, opened: { address, egressImage, marker, description } });
}

function found(number: number): ProcessEngine {
  const engine = engines.get(number);
  if (engine === undefined) throw new Error(`there is no engine ${number}`);
  return engine;
}

async function obey(given: Exclude<Order, { kind: "class" }>): Promise<void> {
  const { call, engine } = given;
  try {
    if (given.kind === "open") return await open(call, engine, given.settings);
    if (given.kind === "end") await found(engine).end(given.script);
    else {
      await found(engine).stop();
      engines.delete(engine);
    }
    report({ kind: "done", call });
  } catch (error) {
    report({ kind: "failed", call, message: (error as Error).message });
  }
}

// Who started it says when to end; a signal to the group they share is none to containers that are to be suspended in order.
for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit());
process.on("message", (message) => {
  const given = order.parse(message);
  if (given.kind === "class") found(given.engine).uniqueKey(given.script, given.className);
  else void obey(given);
});
