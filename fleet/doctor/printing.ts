/** What the doctor found, for a terminal and as a comment. */
import { escaped, markdownTable } from "../printing/markdown.ts";
import type { Table } from "../printing/rows.ts";
import { aligned } from "../printing/text.ts";
import { plural } from "../printing/wording.ts";
import type { DoctorReport, KeptBucket, PlatformReport, Removal, ReportedFinding } from "./report.ts";

export function doctorAsText(report: DoctorReport): string {
  return report.platforms
    .flatMap((platform) => {
      const { head, rows } = tableOf(platform);
      return [
        headline(platform),
        ...(rows.length === 0 ? [] : ["", ...aligned([head, ...rows])]),
        ...remedies(platform).map((line) => `\n${line}`),
        ...notes(platform).map((line) => `\n${line}`),
      ];
    })
    .join("\n");
}

export function doctorAsMarkdown(report: DoctorReport): string {
  return report.platforms
    .flatMap((platform) => [
      `### Examination of ${escaped(platform.stack)}`,
      "",
      `${escaped(headline(platform))}.`,
      "",
      ...markdownTable(tableOf(platform)),
      ...[...remedies(platform), ...notes(platform)].map((line) => `- ${escaped(line)}`),
    ])
    .join("\n");
}

function tableOf({ findings }: PlatformReport): Table {
  return {
    head: ["what", "name", "id", "tenant", "seen since", "what is wrong", "--fix"],
    rows: findings.map((finding) => [
      finding.what,
      finding.name,
      finding.identity === finding.name ? "" : finding.identity,
      finding.tenant ?? "",
      finding.firstSeen?.slice(0, 16).replace("T", " ") ?? "?",
      finding.why,
      removalText(finding.removal),
    ]),
  };
}

function removalText(removal: Removal | null): string {
  if (removal === null) return "never";
  const { state, why, after } = removal;
  const text = {
    claimed: "stays",
    early: after === null ? "not yet" : `from ${after.slice(0, 16).replace("T", " ")} on`,
    due: "removes it",
    removed: "removed",
    held: "left",
    failed: "failed",
  }[state];
  return why === null ? text : `${text}: ${why}`;
}

/** What to do, once for each of what it is about. */
function remedies({ findings }: PlatformReport): string[] {
  return findings
    .filter(({ removal }) => removal === null || removal.state === "claimed" || removal.state === "failed")
    .map(({ what, name, remedy }: ReportedFinding) => `${what} ${name}: ${remedy}`);
}

function notes({ kept, unlooked }: PlatformReport): string[] {
  return [...kept.map(keptText), ...unlooked.map((fault) => `Check failed: ${fault}`)];
}

function keptText({ name, createdAt, objects, bytes, more }: KeptBucket): string {
  const size = `${more ? "more than " : ""}${plural(objects, "object")}, ${(bytes / 1e6).toFixed(1)} MB`;
  return `kept: the bucket ${name}${createdAt === null ? "" : ` of ${createdAt.slice(0, 10)}`}, with ${size}; production's stay when their client goes`;
}

function headline({ stack, environment, findings, kept, unlooked }: PlatformReport): string {
  const removed = findings.filter(({ removal }) => removal?.state === "removed").length;
  const due = findings.filter(({ removal }) => removal?.state === "due").length;
  const parts = [
    `${stack} (${environment})`,
    // A check that did not run may hide what it would have found.
    ...(findings.length === 0 && unlooked.length > 0
      ? []
      : [findings.length === 0 ? "nothing found" : plural(findings.length, "finding")]),
    ...(due === 0 ? [] : [`${due} for --fix to remove`]),
    ...(removed === 0 ? [] : [`${removed} removed`]),
    ...(kept.length === 0 ? [] : [`${plural(kept.length, "bucket")} kept`]),
    ...(unlooked.length === 0 ? [] : [`${plural(unlooked.length, "check")} failed`]),
  ];
  return parts.join(", ");
}
