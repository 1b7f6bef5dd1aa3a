import { escapeMarkdown, markdownTable } from "../printing/markdown.ts";
import type { Table } from "../printing/rows.ts";
import { alignColumns } from "../printing/text.ts";
import { pluralize } from "../printing/wording.ts";
import type { DoctorReport, KeptBucket, PlatformReport, Removal } from "./report.ts";

export function doctorAsText(report: DoctorReport): string {
  return report.platforms
    .flatMap((platform) => {
      const { head, rows } = tableOf(platform);
      return [
        platformHeadline(platform),
        ...(rows.length === 0 ? [] : ["", ...alignColumns([head, ...rows])]),
        ...[...remedyLines(platform), ...noteLines(platform)].map((line) => `\n${line}`),
      ];
    })
    .join("\n");
}

export function doctorAsMarkdown(report: DoctorReport): string {
  return report.platforms
    .flatMap((platform) => [
      `### Findings in ${escapeMarkdown(platform.stack)}`,
      "",
      `${escapeMarkdown(platformHeadline(platform))}.`,
      "",
      ...markdownTable(tableOf(platform)),
      ...[...remedyLines(platform), ...noteLines(platform)].map((line) => `- ${escapeMarkdown(line)}`),
    ])
    .join("\n");
}

function tableOf({ findings }: PlatformReport): Table {
  return {
    head: ["what", "name", "id", "tenant", "first seen", "problem", "--fix"],
    rows: findings.map((finding) => [
      finding.what,
      finding.name,
      finding.identity === finding.name ? "" : finding.identity,
      finding.tenant ?? "",
      finding.firstSeen === null ? "?" : minuteText(finding.firstSeen),
      finding.why,
      removalText(finding.removal),
    ]),
  };
}

const minuteText = (time: string) => time.slice(0, 16).replace("T", " ");

function removalText(removal: Removal | null): string {
  if (removal === null) return "never";
  const { state, why, after } = removal;
  const text = {
    claimed: "keeps it",
    early: after === null ? "not yet" : `from ${minuteText(after)}`,
    due: "removes it",
    removed: "removed",
    held: "kept",
    failed: "failed",
  }[state];
  return why === null ? text : `${text}: ${why}`;
}

function remedyLines({ findings }: PlatformReport): string[] {
  return findings
    .filter(({ removal }) => removal === null || removal.state === "claimed" || removal.state === "failed")
    .map(({ what, name, remedy }) => `${what} ${name}: ${remedy}`);
}

function noteLines({ kept, failedChecks }: PlatformReport): string[] {
  return [...kept.map(keptText), ...failedChecks.map((fault) => `Check failed: ${fault}`)];
}

function keptText({ name, createdAt, objects, bytes, more }: KeptBucket): string {
  const size = `${more ? "more than " : ""}${pluralize(objects, "object")}, ${(bytes / 1e6).toFixed(1)} MB`;
  const created = createdAt === null ? "" : ` (created ${createdAt.slice(0, 10)})`;
  return `Kept: bucket ${name}${created}, ${size}. Production keeps buckets of deleted clients.`;
}

function platformHeadline({ stack, environment, findings, kept, failedChecks }: PlatformReport): string {
  const count = (state: Removal["state"]) => findings.filter(({ removal }) => removal?.state === state).length;
  const parts = [
    [
      failedChecks.length === 0 || findings.length > 0,
      findings.length === 0 ? "no findings" : pluralize(findings.length, "finding"),
    ],
    [count("due") > 0, `${count("due")} for --fix to remove`],
    [count("removed") > 0, `${count("removed")} removed`],
    [kept.length > 0, `${pluralize(kept.length, "bucket")} kept`],
    [failedChecks.length > 0, `${pluralize(failedChecks.length, "check")} failed`],
  ] as const;
  return [`${stack} (${environment})`, ...parts.flatMap(([isShown, text]) => (isShown ? [text] : []))].join(", ");
}
