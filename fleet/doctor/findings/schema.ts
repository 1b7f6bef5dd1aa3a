/** Differences of the database from what this release declares: migrations, routines, rights and versions. */
import { RELEASE } from "#domain/release.ts";
import type { Conclusion, Evidence, Finding } from "../evidence.ts";

export function schemaDifferences({ schema, platform }: Evidence): Conclusion[] {
  const about = "schema";
  if ("fault" in schema) return [{ about, fault: `the schema: ${schema.fault}` }];
  const { deployed, differences } = schema.found;
  const of = (why: string, remedy: string): Finding => ({
    ...{ what: "database", name: "schema", identity: why, tenant: null, createdAt: null, why, remedy },
  });
  const repair = `npm run fleet -- repair --stack ${platform.stack}`;
  const other =
    deployed === RELEASE
      ? []
      : [
          of(
            `The platform runs version ${deployed ?? "0.1.0"}; this is version ${RELEASE}.`,
            `pulumi up of the stack ${platform.stack}, or run the doctor of the version that is deployed`,
          ),
        ];
  return [{ about, findings: [...other, ...differences.map((difference) => of(difference, repair))] }];
}
