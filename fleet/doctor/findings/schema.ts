/** Differences between the database and the schema of this release. */
import { RELEASE } from "#domain/release.ts";
import type { Conclusion, Evidence, Finding } from "../evidence.ts";

export function schemaDifferences({ schema, platform }: Evidence): Conclusion[] {
  const about = "schema";
  if ("fault" in schema) return [{ about, fault: `the schema: ${schema.fault}` }];
  const { deployed, differences } = schema.found;
  const finding = (why: string, remedy: string): Finding => ({
    ...{ what: "database", name: "schema", identity: why, why, remedy },
  });
  const findings = differences.map((difference) =>
    finding(difference, `npm run fleet -- repair --stack ${platform.stack}`),
  );
  if (deployed !== RELEASE) {
    findings.unshift(
      finding(
        `The platform runs version ${deployed ?? "0.1.0"}; this is version ${RELEASE}.`,
        `run pulumi up of the stack ${platform.stack}, or use the doctor of the deployed version`,
      ),
    );
  }
  return [{ about, findings }];
}
