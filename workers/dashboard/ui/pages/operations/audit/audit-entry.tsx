import { ChevronRight } from "lucide-react";
import { useState } from "react";
import type { AuditEntry } from "#workers/contracts/api/audit.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { clientAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { personInWords } from "#workers/dashboard/ui/kit/person.ts";
import { TextLink } from "#workers/dashboard/ui/kit/text-link.tsx";
import { Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { AuditDiff } from "./audit-diff.tsx";
import { differencesOf } from "./differences.ts";
import { entityName } from "./entity-names.ts";
import { fieldLabel, fieldValue } from "./field-texts.ts";

const MAX_FIELDS = 4;
/** Most characters of the values of a single changed field. */
const MAX_VALUES = 60;
/** An operator opens the console, which changes nothing. */
const OPENED = ["opened", "info"] as const;

const ACTIONS: Readonly<Record<AuditEntry["action"], readonly [word: string, tone: Tone]>> = {
  insert: ["created", "good"],
  update: ["updated", "info"],
  delete: ["deleted", "bad"],
};

/** Fields that identify an entity, best first. */
const NAMES = [
  ...["kind", "slug", "email", "provider", "name", "account_name", "gateway_id", "host", "gateway", "gateway_version"],
  ...["worker_name", "reference", "day", "period_start", "amount_micros", "total_micros"],
];
const MAX_NAMES = 3;
const ID_SUFFIX = /(?<=\b[0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

function nameOf({ before, after, user_email }: AuditEntry): string {
  const row = after ?? before ?? {};
  const names = NAMES.flatMap((field) => fieldValue(field, row[field]) ?? []);
  return [...new Set([...(user_email === null ? [] : [user_email]), ...names])].slice(0, MAX_NAMES).join(" ");
}

const shortId = (id: string) => id.replaceAll(ID_SUFFIX, "…");

function changedFields({ before, after, action }: AuditEntry): string {
  if (action !== "update") return "";
  const changed = differencesOf(before, after).filter((one) => one.changed);
  const [first] = changed;
  if (first === undefined) return "";
  if (changed.length === 1) {
    const [from, to] = [first.from, first.to].map((value) => fieldValue(first.field, value) ?? "none");
    if (`${from}${to}`.length <= MAX_VALUES) return `: ${fieldLabel(first.field)} from ${from} to ${to}`;
  }
  const more = changed.length > MAX_FIELDS ? ", …" : "";
  const labels = changed.slice(0, MAX_FIELDS).map(({ field }) => fieldLabel(field));
  return `: ${labels.join(", ")}${more}`;
}

export function AuditEntryView({ entry }: { entry: AuditEntry }) {
  const [open, setOpen] = useState(false);
  const { at, actor, action, entity, client_id, source, request_id } = entry;
  const { tenant, user } = useViewer();
  const isInDashboard = tenant === null;
  const [word, tone] = entity === "console" ? OPENED : ACTIONS[action];
  const name = nameOf(entry) || (isInDashboard ? shortId(entry.entity_id) : "");
  const author = isInDashboard ? actor : personInWords(actor, user.email);
  return (
    <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-[0.8125rem] hover:bg-hover">
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-quiet group-open:rotate-90" />
        <span className="w-44 shrink-0 text-quiet">
          <Moment at={at} />
        </span>
        <Badge tone={tone}>{word}</Badge>
        <span className="min-w-0 flex-1 basis-full break-words sm:basis-48 sm:truncate">
          {entityName(entity, !isInDashboard)} <span className="font-medium">{name}</span>
          <span className="text-quiet">{changedFields(entry)}</span>
        </span>
        <span className="max-w-56 truncate text-quiet" title={author}>
          {author}
        </span>
      </summary>
      {open ? (
        <div className="flex flex-col gap-3 border-t border-line bg-ground px-4 py-3 sm:pl-11">
          <AuditDiff entry={entry} />
          <p className="text-xs break-words text-quiet">
            {client_id === null || !isInDashboard ? null : (
              <>
                <TextLink to={clientAddress(client_id)}>Show client</TextLink> ·{" "}
              </>
            )}
            {isInDashboard ? "" : "For support: "}
            {entity} {entry.entity_id}
            {source === null ? "" : ` · from ${source}`}
            {request_id === null ? "" : ` · request ${request_id}`}
          </p>
        </div>
      ) : null}
    </details>
  );
}
