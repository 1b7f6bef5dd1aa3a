import { expect, test } from "vitest";
import { removalOf } from "./doctor.ts";
import { doctorAsMarkdown, doctorAsText } from "./printing.ts";
import { type DoctorReport, doctorExitCode, type Removal, type ReportedFinding } from "./report.ts";

const seen = (hours: number) => ({ kind: "bucket", identity: "x", firstSeen: new Date("2026-11-20T00:00:00Z"), hours });

test("a removal is due when no claim exists and the grace period has passed", () => {
  expect(removalOf(["the database has it", "a job"], seen(1000), 24)).toEqual({
    state: "claimed",
    why: "the database has it; a job",
    after: null,
  });
  expect(removalOf([], seen(23.9), 24)).toEqual({ state: "early", why: null, after: "2026-11-21T00:00:00.000Z" });
  expect(removalOf([], seen(24), 24)).toMatchObject({ state: "due" });
  // The first sighting is unknown.
  expect(removalOf([], undefined, 24)).toEqual({ state: "early", why: null, after: null });
});

const finding = (removal: Removal | null, more: Partial<ReportedFinding> = {}): ReportedFinding => ({
  kind: "unknown_resource",
  what: "Access group",
  name: "Members of a|b",
  identity: "0123",
  tenant: "ghost",
  createdAt: null,
  firstSeen: "2026-11-20T00:00:00.000Z",
  why: "no stack has it",
  remedy: "DELETE /x",
  removal,
  ...more,
});
const reportOf = (findings: ReportedFinding[], failedChecks: string[] = []): DoctorReport => ({
  command: "doctor",
  fix: false,
  graceHours: 24,
  platforms: [
    {
      stack: "prod",
      environment: "production",
      findings,
      kept: [
        { name: "old", tenant: "old", createdAt: "2026-01-02T00:00:00Z", objects: 1000, bytes: 2_500_000, more: true },
      ],
      failedChecks,
    },
  ],
});
const DUE: Removal = { state: "due", why: null, after: null };

test.each([
  [[], [], 0, 0],
  [[finding(DUE)], [], 0, 2],
  [[finding(null)], [], 0, 2],
  [[finding({ state: "removed", why: null, after: null })], [], 0, 0],
  [[finding({ state: "failed", why: "403", after: null })], [], 1, 1],
  [[], ["permission denied"], 1, 1],
])("returns the exit code that the findings require, case %#", (findings, failedChecks, plain, detailed) => {
  const report = reportOf(findings, failedChecks);
  expect([doctorExitCode(report, false), doctorExitCode(report, true)]).toEqual([plain, detailed]);
});

test("does not print that there are no findings when a check failed", () => {
  const text = doctorAsText(reportOf([], ["groups: no right"]));
  expect(text.split("\n")[0]).toBe("prod (production), 1 bucket kept, 1 check failed");
});

test("prints removals, remedies, kept buckets and failed checks", () => {
  const report = reportOf(
    [finding(DUE), finding({ state: "claimed", why: "a job", after: null }, { name: "two" })],
    ["groups: no right"],
  );
  const text = doctorAsText(report);
  expect(text.split("\n")[0]).toBe(
    "prod (production), 2 findings, 1 for --fix to remove, 1 bucket kept, 1 check failed",
  );
  expect(text).toMatch(/Access group +Members of a\|b +0123 +ghost +2026-11-20 00:00 +no stack has it +removes it/);
  expect(text).toContain("keeps it: a job");
  expect(text).toContain("\nAccess group two: DELETE /x");
  expect(text).not.toContain("Members of a|b: DELETE");
  expect(text).toContain(
    "Kept: bucket old (created 2026-01-02), more than 1000 objects, 2.5 MB. Production keeps buckets of deleted clients.",
  );
  expect(text).toContain("Check failed: groups: no right");
  expect(doctorAsMarkdown(report)).toContain("| Access group | Members of a\\|b | 0123 |");
});
