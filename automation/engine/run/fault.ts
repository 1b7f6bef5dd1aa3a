const EMPTY_PHRASES = /^(update|preview|refresh|destroy) failed$|^an unhandled error occurred/;

const OTHER_PASSPHRASE = "its secrets are encrypted with another passphrase than the one in PULUMI_CONFIG_PASSPHRASE";

/** Returns a message for an error of a run, without the engine's other output. */
export function engineFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Compared by name, because importing the class loads the whole SDK.
  const faults = error.name === "CommandError" ? engineFaults(error.message) : [];
  return faults.length > 0
    ? `The deployment failed:\n${faults.map((fault) => `  ${fault}`).join("\n")}`
    : error.message;
}

/** Whether another run took the AI gateway's slot or the account's last place after the plan. */
export function isSlotTaken(error: unknown): boolean {
  return error instanceof Error && /no_(ai_gateway|account)_capacity: .*; plan again/.test(error.message);
}

const MAX_RUNS = 3;

/** Plans and runs again when another run took the AI gateway's slot or the account's last place. @throws what the last run threw */
export async function replanOnLostSlot<T>(run: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await run();
    } catch (error) {
      if (count === MAX_RUNS || !isSlotTaken(error)) throw error;
    }
  }
}

/** Returns the distinct errors in the engine's output, each with the lines that belong to it. */
export function engineFaults(output: string): string[] {
  if (/incorrect passphrase/.test(output)) return [OTHER_PASSPHRASE];
  const faults: string[] = [];
  let indent: number | undefined;
  for (const line of output.split("\n")) {
    const start = /^(\s*)error: (.*)$/.exec(line);
    if (start !== null) {
      indent = start[1]?.length ?? 0;
      faults.push(start[2] ?? "");
    } else if (indent !== undefined && /^\s*\S/.test(line) && line.search(/\S/) > indent) {
      faults.push(`${faults.pop()}\n${line.slice(indent)}`);
    } else {
      indent = undefined;
    }
  }
  return [...new Set(faults)].filter((fault) => !EMPTY_PHRASES.test(fault));
}
