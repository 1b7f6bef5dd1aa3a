import * as pulumi from "@pulumi/pulumi";

/** With this many tenants a run takes seconds. A preview of 100 takes up to a minute and 1 GB. */
const COMFORTABLE = 20;
export function warnOfLargeFleet(tenants: number): void {
  if (tenants <= COMFORTABLE) return;
  void pulumi.log.warn(
    `This stack holds ${tenants} tenants; each run plans them all, which above ${COMFORTABLE} takes minutes and memory. ` +
      "Move tenants to stacks of their own: see docs/how-to/declare-tenants-in-files.md.",
  );
}
