import * as pulumi from "@pulumi/pulumi";

/** Ends the run where there is anything to refuse. @throws RunError with `heading` and a line each */
export function refuse(heading: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new pulumi.RunError(`${heading}\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
}
