/** The process of container engines. They end with it. */
import { type ContainerEngineOptions, type ProcessEngine, startContainerEngine } from "../engine.ts";
import { type EngineSettings, type Order, order, type Report } from "./messages.ts";

const engines = new Map<number, ProcessEngine>();

const sendReport = (message: Report): void => {
  process.send?.(message);
};

async function openEngine(call: number, engine: number, settings: EngineSettings): Promise<void> {
  const options: ContainerEngineOptions = {
    ...settings,
    onChange: (instances) => sendReport({ kind: "running", engine, instances }),
    log: (area, event, fields) => sendReport({ kind: "log", engine, area, event, ...(fields && { fields }) }),
  };
  const opened = await startContainerEngine(options);
  engines.set(engine, opened);
  const { address, egressImage, marker, description } = opened;
  sendReport({ kind: "opened", call, opened: { address, egressImage, marker, description } });
}

function findEngine(number: number): ProcessEngine {
  const engine = engines.get(number);
  if (engine === undefined) throw new Error(`engine ${number} not found`);
  return engine;
}

async function executeOrder(given: Extract<Order, { call: number }>): Promise<void> {
  const { call, engine } = given;
  try {
    if (given.kind === "open") return await openEngine(call, engine, given.settings);
    if (given.kind === "end") await findEngine(engine).end(given.script);
    else if (given.kind === "stopContainer") await findEngine(engine).stopContainer(given.name, given.how);
    else {
      await findEngine(engine).stop();
      engines.delete(engine);
    }
    sendReport({ kind: "done", call });
  } catch (error) {
    sendReport({ kind: "failed", call, message: (error as Error).message });
  }
}

// The parent says when to end, so that containers are suspended cleanly. Ignore signals to the process group.
for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit());
process.on("message", (message) => {
  const given = order.parse(message);
  if (given.kind === "class") findEngine(given.engine).uniqueKey(given.script, given.className);
  else if (given.kind === "deploy") findEngine(given.engine).deploy(given.script, given.className, given.deployment);
  else void executeOrder(given);
});
