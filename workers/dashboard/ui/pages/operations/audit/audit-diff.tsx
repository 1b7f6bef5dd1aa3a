import { useState } from "react";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { type AuditRow, differencesOf, formatValue } from "./differences.ts";

export function AuditDiff({ before, after }: { before: AuditRow; after: AuditRow }) {
  const [all, setAll] = useState(false);
  const fields = differencesOf(before, after);
  const shown = all ? fields : fields.filter(({ changed }) => changed);
  const rest = before === null || after === null ? "empty" : "unchanged";
  const hidden = fields.length - fields.filter(({ changed }) => changed).length;
  const sides = [...(before === null ? [] : ["Before"]), ...(after === null ? [] : ["After"])];
  return (
    <div className="flex flex-col items-start gap-2">
      <table aria-label="Changed fields" className="w-full table-fixed text-[0.8125rem]">
        <thead className="text-xs text-quiet">
          <tr>
            <th scope="col" className="w-2/5 pb-1 text-left font-medium sm:w-1/4">
              Field
            </th>
            {sides.map((side) => (
              <th key={side} scope="col" className="pb-1 pl-3 text-left font-medium">
                {side}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ field, from, to, changed }) => (
            <tr key={field} className="border-t border-line align-top">
              <th scope="row" className="py-1 text-left font-normal break-words text-quiet">
                {field.replaceAll("_", " ")}
              </th>
              {before === null ? null : (
                <Value value={from} className={changed && after !== null ? "bg-bad-soft text-bad" : ""} />
              )}
              {after === null ? null : (
                <Value value={to} className={changed && before !== null ? "bg-good-soft text-good" : ""} />
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {hidden === 0 ? null : (
        <Button small variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? `Hide ${rest} fields` : `Show ${hidden} ${rest} fields`}
        </Button>
      )}
    </div>
  );
}

function Value({ value, className }: { value: unknown; className: string }) {
  const text = formatValue(value);
  return (
    <td className="py-1 pl-3">
      {text === undefined ? (
        <span className="text-quiet">Empty</span>
      ) : (
        <span className={`rounded-sm px-1 font-mono text-xs break-words whitespace-pre-wrap ${className}`}>{text}</span>
      )}
    </td>
  );
}
