import * as pulumi from "@pulumi/pulumi";
import { errorHeading, type Fault } from "#domain/errors/catalogue-error.ts";
import type { planRefusals } from "#domain/errors/stack/stack-plan.ts";

/** @throws RunError with the heading and a line for each fault, if there are any */
export function refuseFaults(
  refusal: (typeof planRefusals)[keyof typeof planRefusals],
  faults: readonly Fault[],
): void {
  if (faults.length === 0) return;
  throw new pulumi.RunError([errorHeading(refusal), ...faults.map((fault) => `  ${fault}`)].join("\n"));
}
