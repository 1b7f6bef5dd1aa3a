/** Warns of a stack that holds more tenants than a run can well plan. */
import * as pulumi from "@pulumi/pulumi";

/** Tenants of one stack up to which a run takes seconds. A stack of 100 takes up to a minute and 1 GB to preview. */
const COMFORTABLE = 20;

/** @param tenants how many the stack declares */
export function warnOfLargeFleet(tenants: number): void {
  if (tenants <= COMFORTABLE) return;
  void pulumi.log.warn(
    `This stack holds ${tenants} tenants; each run plans them all, which above ${COMFORTABLE} takes minutes and memory. ` +
      "Move tenants to stacks of their own: see docs/how-to/declare-tenants-in-files.md.",
  );
}
