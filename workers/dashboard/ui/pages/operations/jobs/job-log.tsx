import type { jobRoutes } from "#workers/contracts/api/jobs.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Moment } from "#workers/dashboard/ui/kit/time.tsx";

/** The API returns at most this many. */
const MAX_EVENTS = 200;

const WORDS: Readonly<Record<string, string>> = {
  queued: "Requested.",
  started: "Attempt started.",
  succeeded: "Done.",
};

type Events = Answer<typeof jobRoutes.getJob>["events"];

export const JobLog = ({ events }: { events: Events }) => (
  <Card title="Log" about={events.length < MAX_EVENTS ? undefined : `The latest ${MAX_EVENTS} lines`} flush>
    <LogLines events={events} />
  </Card>
);

export const LogLines = ({ events }: { events: Events }) => (
  <ol className="pb-2 text-[0.8125rem]">
    {events.map(({ id, at, kind, message }) => (
      <li key={id} className="flex flex-col gap-x-4 px-4 py-1 sm:flex-row">
        <span className="shrink-0 text-quiet sm:w-52">
          <Moment at={at} />
        </span>
        <span className="shrink-0 text-quiet sm:w-24">{kind.replaceAll("_", " ")}</span>
        <span className="min-w-0 break-words">{message || WORDS[kind] || ""}</span>
      </li>
    ))}
  </ol>
);
