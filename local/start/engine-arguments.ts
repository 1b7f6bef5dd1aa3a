import { resolve } from "node:path";
import { DEFAULT_STATE } from "./options.ts";

export interface EngineArguments {
  state: string;
  /** Whether they name a working directory. */
  hasDirectory: boolean;
  engine: string[];
}

/** Global options of the engine with a value. */
const WITH_VALUE = new Set([
  "-C",
  "--cwd",
  "--color",
  "-v",
  "--verbose",
  "--tracing",
  "--profiling",
  "--memprofilerate",
]);

export function engineArguments(argv: readonly string[]): EngineArguments {
  const engine = [...argv];
  const at = engine.indexOf("--state");
  const state = resolve((at === -1 ? undefined : engine.splice(at, 2)[1]) ?? DEFAULT_STATE);
  const hasDirectory = engine.some((argument) => /^(-C|--cwd(=|$))/.test(argument));
  const command = engine.findIndex(
    (argument, index) => !argument.startsWith("-") && !WITH_VALUE.has(engine[index - 1] ?? ""),
  );
  // Code generation requires the vendor's schema, which the stand-ins lack: the import would fail at its end.
  if (engine[command] === "import" && !engine.some((argument) => argument.startsWith("--generate-code"))) {
    engine.splice(command + 1, 0, "--generate-code=false");
  }
  return { state, hasDirectory, engine };
}
