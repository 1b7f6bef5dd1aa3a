import { expect, test } from "vitest";
import { outcome, previewOf, samplePreview, stackReport } from "../testing/sample-report.ts";
import { asMarkdown } from "./markdown.ts";

test("prints a comment with a table, the total, notes and verbatim faults", () => {
  expect(asMarkdown(samplePreview)).toBe(`### Tenants after this change

4 tenants, 1 created, 1 changed, 1 removed, 1 unchanged, 1 stack failed.

| tenant | stack | change | resources | plan | AI gateway | container | per month |
| --- | --- | --- | --- | --- | --- | --- | --- |
| acme | prod-acme | changed | \\~3 ±1 | basic → pro | pool-a (pooled) | restarts, backed up first | +$70.00 |
| (shared) | prod-acme | created | +1 |  |  |  |  |
| new | prod-new | created | ? | free | chosen by the run |  |  |
| gone | prod-gone | removed | -14 | basic | of-mine (external) | ends without a backup | -$29.00 |

Flat fees: **+$41.00** per month.

- \`prod-new\`: previewed without the passphrase

**\`prod-bad\` failed**

\`\`\`\`text
unknown plan \`gold\`
  use \`\`\`another\`\`\` | or
\`\`\`\`
`);
});

test("escapes markup in names and notes", () => {
  const aiGateway = { before: null, after: "a|b <img> [x](y) @team", kind: null };
  const tenants = [outcome("a", { fate: "changed", aiGateway })];
  const comment = asMarkdown(previewOf(stackReport("s", { tenants, notes: ["one\n# two"] })));
  expect(comment).toContain("a\\|b \\<img\\> \\[x\\](y) \\@team");
  expect(comment).toContain("- `s`: one \\# two\n");
});
