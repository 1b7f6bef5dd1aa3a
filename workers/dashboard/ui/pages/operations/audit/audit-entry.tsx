import { ChevronRight } from "lucide-react";
import { useState } from "react";
import type { AuditEntry } from "#workers/contracts/api/audit.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { clientAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { TextLink } from "#workers/dashboard/ui/kit/text-link.tsx";
import { Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { AuditDiff } from "./audit-diff.tsx";
import { differencesOf } from "./differences.ts";
import { entityName } from "./entity-names.ts";

const MAX_FIELDS = 4;

const ACTIONS: Readonly<Record<AuditEntry["action"], readonly [word: string, tone: Tone]>> = {
  insert: ["created", "good"],
  update: ["updated", "info"],
  delete: ["deleted", "bad"],
};

/** Fields that identify an entity, best first. */
const NAMES = [
  ...["kind", "slug", "email", "gateway_id", "host", "gateway", "gateway_version", "worker_name", "reference"],
  ...["day", "period_start"],
];
const ID_SUFFIX = /(?<=\b[0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

function nameOf({ before, after, entity_id }: Pick<AuditEntry, "before" | "after" | "entity_id">): string {
  const row = after ?? before ?? {};
  const names = NAMES.flatMap((field) => {
    const value = row[field];
    return typeof value === "string" && value !== "" ? [value] : [];
  });
  return names.slice(0, 2).join(" ") || entity_id.replaceAll(ID_SUFFIX, "…");
}

function changedFields({ before, after, action }: AuditEntry): string {
  if (action !== "update") return "";
  const fields = differencesOf(before, after).flatMap(({ field, changed }) =>
    changed ? [field.replaceAll("_", " ")] : [],
  );
  const more = fields.length > MAX_FIELDS ? ", …" : "";
  return fields.length === 0 ? "" : `: ${fields.slice(0, MAX_FIELDS).join(", ")}${more}`;
}

export function AuditEntryView({ entry }: { entry: AuditEntry }) {
  const [open, setOpen] = useState(false);
  const { at, actor, action, entity, client_id, source, request_id } = entry;
  const isInDashboard = useViewer().tenant === null;
  const [word, tone] = ACTIONS[action];
  return (
    <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-[0.8125rem] hover:bg-hover">
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-quiet group-open:rotate-90" />
        <span className="w-44 shrink-0 text-quiet">
          <Moment at={at} />
        </span>
        <Badge tone={tone}>{word}</Badge>
        <span className="min-w-0 flex-1 basis-48 truncate">
          {entityName(entity)} <span className="font-medium">{nameOf(entry)}</span>
          <span className="text-quiet">{changedFields(entry)}</span>
        </span>
        <span className="max-w-56 truncate text-quiet" title={actor}>
          {actor}
        </span>
      </summary>
      {open ? (
        <div className="flex flex-col gap-3 border-t border-line bg-ground px-4 py-3 sm:pl-11">
          <AuditDiff before={entry.before} after={entry.after} />
          <p className="text-xs break-words text-quiet">
            {client_id === null || !isInDashboard ? null : (
              <>
                <TextLink to={clientAddress(client_id)}>Show client</TextLink> ·{" "}
              </>
            )}
            {entity} {entry.entity_id}
            {source === null ? "" : ` · from ${source}`}
            {request_id === null ? "" : ` · request ${request_id}`}
          </p>
        </div>
      ) : null}
    </details>
  );
}
