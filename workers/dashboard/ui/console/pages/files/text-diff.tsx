import { joinClasses } from "#workers/dashboard/ui/kit/classes.ts";
import { ScrollRegion } from "#workers/dashboard/ui/kit/layout/scroll-region.tsx";
import { type DiffLine, lineDiff, nearChanges } from "./line-diff.ts";

const SIGNS: Readonly<Record<DiffLine["kind"], string>> = { same: " ", removed: "-", added: "+" };
const STYLES: Readonly<Record<DiffLine["kind"], string>> = {
  same: "text-quiet",
  removed: "bg-bad-soft text-bad",
  added: "bg-good-soft text-good",
};

interface TextDiffProps {
  label: string;
  before: string;
  after: string;
}

/** What changes from one text to the other, by lines. */
export function TextDiff({ label, before, after }: TextDiffProps) {
  const lines = nearChanges(lineDiff(before, after));
  return (
    <ScrollRegion label={label} className="max-h-80 rounded-md border border-line bg-sunken py-2">
      <pre className="min-w-max text-xs leading-5">
        {lines.map((line, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a difference do not move.
            key={index}
            className={joinClasses("block px-3", line === undefined ? "text-quiet" : STYLES[line.kind])}
          >
            {line === undefined ? "…" : `${SIGNS[line.kind]} ${line.text}`}
          </span>
        ))}
      </pre>
    </ScrollRegion>
  );
}
