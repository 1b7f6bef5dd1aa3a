import { expect, test } from "vitest";
import { outcome, previewOf, samplePreview, stackReport } from "../testing/sample-report.ts";
import { asMarkdown } from "./markdown.ts";

test("writes a comment with a table, the total, notes, and faults as they were said", () => {
  expect(asMarkdown(samplePreview)).toBe(`### Tenants after this change

4 tenants, 1 made, 1 changed, 1 removed, 1 unchanged, 1 stack failed.

| tenant | stack | what | resources | plan | AI gateway | container | a month |
| --- | --- | --- | --- | --- | --- | --- | --- |
| acme | prod-acme | changed | \\~3 ±1 | basic → pro | pool-a (pooled) | restarts, backed up first | +$70.00 |
| (shared) | prod-acme | made | +1 |  |  |  |  |
| new | prod-new | made | ? | free | chosen by the run |  |  |
| gone | prod-gone | removed | -14 | basic | of-mine (external) | ends without a backup | -$29.00 |

Flat fees: **+$41.00** a month.

- \`prod-new\`: told without the passphrase

**\`prod-bad\` failed**

\`\`\`\`text
unknown plan \`gold\`
  use \`\`\`another\`\`\` | or
\`\`\`\`
`);
});

test("lets nobody's text be markup", () => {
  const aiGateway = { before: null, after: "a|b <img> [x](y) @team", kind: null };
  const tenants = [outcome("a", { fate: "changed", aiGateway })];
  const comment = asMarkdown(previewOf(stackReport("s", { tenants, notes: ["one\n# two"] })));
  expect(comment).toContain("a\\|b \\<img\\> \\[x\\](y) \\@team");
  expect(comment).toContain("- `s`: one \\# two\n");
});
