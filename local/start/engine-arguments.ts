/** What `npm run pulumi` makes of its arguments. */
import { resolve } from "node:path";
import { DEFAULT_STATE } from "./options.ts";

export interface EngineArguments {
  /** State directory of the edge, absolute. */
  state: string;
  /** Whether the engine is to run in a directory that the arguments name, instead of the project of `npm start`. */
  elsewhere: boolean;
  /** The engine's own arguments. */
  engine: string[];
}

/** Global options of the engine that take the next argument as their value. */
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

/** @param argv arguments after the script's name */
export function engineArguments(argv: readonly string[]): EngineArguments {
  const engine = [...argv];
  const at = engine.indexOf("--state");
  const state = resolve((at === -1 ? undefined : engine.splice(at, 2)[1]) ?? DEFAULT_STATE);
  const elsewhere = engine.some((argument) => /^(-C|--cwd(=|$))/.test(argument));
  const command = engine.findIndex(
    (argument, index) => !argument.startsWith("-") && !WITH_VALUE.has(engine[index - 1] ?? ""),
  );
  // Code for what was imported is made from the vendor's schema, which the stand-ins lack: the import would fail when it is done.
  if (engine[command] === "import" && !engine.some((argument) => argument.startsWith("--generate-code"))) {
    engine.splice(command + 1, 0, "--generate-code=false");
  }
  return { state, elsewhere, engine };
}
