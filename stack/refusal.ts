import * as pulumi from "@pulumi/pulumi";

/** @throws RunError with `heading` and a line for each fault, if there are any */
export function refuseFaults(heading: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new pulumi.RunError(`${heading}\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
}
