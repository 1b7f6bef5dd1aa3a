import { useState } from "react";
import type { AuditEntry } from "#workers/contracts/api/audit.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { differencesOf } from "./differences.ts";
import { fieldLabel, fieldValue } from "./field-texts.ts";

/** The user's ID in an entry that has the user's address. */
const USER = "client_user_id";

export function AuditDiff({ entry: { before, after, user_email } }: { entry: AuditEntry }) {
  const textOf = (field: string, value: unknown) =>
    field === USER && value && user_email !== null ? user_email : fieldValue(field, value);
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
                {fieldLabel(field)}
              </th>
              {before === null ? null : (
                <Value text={textOf(field, from)} className={changed && after !== null ? "bg-bad-soft text-bad" : ""} />
              )}
              {after === null ? null : (
                <Value
                  text={textOf(field, to)}
                  className={changed && before !== null ? "bg-good-soft text-good" : ""}
                />
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

function Value({ text, className }: { text: string | undefined; className: string }) {
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
