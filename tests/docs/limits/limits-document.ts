/** Writes Cloudflare's limits for people: `docs/reference/cloudflare-limits.md`. */
import { AREAS, CHECKED, type Limit, type LimitName, type Refusal } from "@tenantry/cloudflare-limits/limits";
import { ENFORCEMENT } from "@tenantry/edge/limits";
import { WHERE_MET } from "./where-met.ts";

const INTRODUCTION = `# Cloudflare's limits

Limits of Cloudflare that Tenantry meets, as the linked pages had them on ${CHECKED}. The values are those of the plan Workers Paid and of a zone on the
plan Pro; Cloudflare raises many of them on request. The table is data in \`packages/cloudflare-limits\`: settings, Workers and the local edge read it.

- **Beyond it**: the response of Cloudflare's API as status, code and text. A \`?\` marks a response that no source documents; the edge sends it as a guess.
- **Edge**: \`yes\` if the local edge enforces the limit, else the reason why not. [Coverage](../../packages/edge/docs/coverage.md#limits) says how to change a value.

[Container sizes](container-sizes.md) has the instance types. This document is generated. After a change of the data, \`npm test -- tests/docs/limits -u\` writes it.
`;

const cell = (text: string): string => text.replaceAll("|", "\\|");
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
const number = (value: number): string => (Number.isFinite(value) ? value.toLocaleString("en") : "no limit");

const SIZES = [
  ["GiB", 1_024 ** 3],
  ["MiB", 1_024 ** 2],
  ["KiB", 1_024],
] as const;

function amount(value: number, { unit }: Limit): string {
  if (unit === undefined) return number(value);
  const size = unit === "bytes" ? SIZES.find(([, bytes]) => value >= bytes && value % bytes === 0) : undefined;
  return size === undefined ? `${number(value)} ${unit}` : `${number(value / size[1])} ${size[0]}`;
}

function shownValue(limit: Limit): string {
  const others = Object.entries(limit.otherPlans ?? {}).map(([plan, value]) => `${plan}: ${amount(value, limit)}`);
  const least = limit.isMinimum ? "at least " : "";
  return [least + amount(limit.value, limit), ...others].join("; ");
}

function beyond(limit: Limit): string {
  if (typeof limit.beyond === "string") return limit.beyond;
  const { status, code, text, source }: Refusal = limit.beyond;
  const shown = text.replace("{limit}", number(limit.value)).replace("{count}", "…");
  const origin = source === undefined ? " ?" : source === limit.page ? "" : ` ([source](${source}))`;
  return `${[status, ...(code === undefined ? [] : [code])].join(", ")}: ${shown}${origin}`;
}

function enforcement(name: LimitName): string {
  const how = ENFORCEMENT[name];
  return typeof how === "string" ? "yes" : how.because;
}

/** The document, as Markdown. */
export function limitsDocument(): string {
  const areas = Object.entries(AREAS).map(([title, limits]) => {
    const rows = (Object.entries(limits) as [LimitName, Limit][]).map(([name, limit]) => [
      `[${cell(limit.of)}](${limit.page})`,
      cell(shownValue(limit)),
      cell(beyond(limit)),
      enforcement(name),
      WHERE_MET[name],
    ]);
    return `## ${title}\n\n${table(["limit", "value", "beyond it", "edge", "where Tenantry meets it"], rows)}\n`;
  });
  return [INTRODUCTION, ...areas].join("\n");
}
