/** What went wrong, in the words of whoever said it first, without the engine's report around it. */

/** What the engine says of every failure. */
const EMPTY_PHRASES = /^(update|preview|refresh|destroy) failed$|^an unhandled error occurred/;

const OTHER_PASSPHRASE = "its secrets are encrypted with another passphrase than PULUMI_CONFIG_PASSPHRASE has";

/** One clear message for an error of a run. */
export function engineFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // By its name: its class would load the whole SDK where nothing else needs it.
  const faults = error.name === "CommandError" ? engineFaults(error.message) : [];
  return faults.length > 0
    ? `The deployment failed:\n${faults.map((fault) => `  ${fault}`).join("\n")}`
    : error.message;
}

/** Whether a run failed since somebody else took a pool gateway's slot, or the account's last place, after it was planned: run again, it plans anew. */
export function isSlotTaken(error: unknown): boolean {
  return error instanceof Error && /no_(ai_gateway|account)_capacity: .*; plan again/.test(error.message);
}

/** The errors in the engine's output, each once, with the lines that belong to them. */
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
