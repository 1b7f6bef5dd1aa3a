/** The console's page of the inbox: what an operator sees of it in the dashboard. */
import { consoleInboxRoutes } from "#workers/contracts/api/console/inbox.ts";
import { TENANT_ADMINS } from "#workers/contracts/api/route.ts";
import type { InboxEntry } from "#workers/contracts/api/tenants/doors.ts";
import {
  canDrop,
  canReplay,
  doorKindLabel,
  FULL_INBOX,
  failureCause,
  failureRemedy,
  INBOX_CHANGES,
  MESSAGE_STATES,
} from "#workers/contracts/api/tenants/inbox-texts.ts";
import { type MessageState, messageStates } from "#workers/contracts/tenant/inbox.ts";
import { listedInbox } from "../../api/doors/inbox.ts";
import { Failure } from "../../http/failure.tsx";
import { Ago, Moment } from "../moment.tsx";
import type { ConsolePage } from "../page.ts";

type Inbox = Awaited<ReturnType<typeof listedInbox>>;

const { query: listQuery } = consoleInboxRoutes.listConsoleInbox;

const SHEET = `
.states { display: flex; flex-wrap: wrap; gap: 0 1rem; margin-top: 0.4rem; }
.states a { padding: 0.6rem 0; }
.states a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
.reason { color: var(--text); }
details { margin-top: 0.6rem; }
summary { padding: 0.5rem 0; cursor: pointer; }
`;

export const inboxPage: ConsolePage = {
  path: "messages",
  label: "Messages",
  callers: TENANT_ADMINS,
  async load({ settings, person: { slug, client }, query }) {
    const { state, after } = listQuery.safeParse(query).data ?? {};
    const inbox = await listedInbox(settings, slug, { state, after }).catch((error: unknown) => {
      if (error instanceof Failure) return error.message;
      throw error;
    });
    return {
      title: `Messages of ${client.name}`,
      body: (
        <>
          <p>
            Messages of webhooks and channels wait here until the gateway accepts them. Replay or drop those that it did
            not accept.
          </p>
          {typeof inbox === "string" ? (
            <p class="fault" role="alert">
              {inbox}
            </p>
          ) : (
            <Messages inbox={inbox} state={state} />
          )}
        </>
      ),
      styles: SHEET,
    };
  },
};

const number = new Intl.NumberFormat("en");
const addressOf = (state?: MessageState, after?: string) => {
  const given = { ...(state && { state }), ...(after && { after }) };
  return Object.keys(given).length === 0 ? "messages" : `messages?${new URLSearchParams(given)}`;
};

function Messages({ inbox: { data, pagination, inbox }, state }: { inbox: Inbox; state?: MessageState | undefined }) {
  const { pending, dead, limit, oldest_at } = inbox;
  const stored = pending + dead;
  const isFull = stored >= limit;
  return (
    <>
      {stored < limit * FULL_INBOX.from ? null : (
        <p class="fault">
          {FULL_INBOX.title(isFull)}. {FULL_INBOX.about(isFull)}
        </p>
      )}
      <dl>
        <dt>Waiting</dt>
        <dd>
          {number.format(pending)}
          {oldest_at === null ? null : (
            <>
              , the oldest received <Ago at={oldest_at} />
            </>
          )}
        </dd>
        <dt>Dead</dt>
        <dd>{number.format(dead)}</dd>
        <dt>Maximum</dt>
        <dd>{number.format(limit)}, waiting and dead together</dd>
      </dl>
      <div class="row">
        {dead === 0 ? null : (
          <>
            <ChangeButton
              what="replay"
              body={{ all: true }}
              label="Replay all dead"
              of={`all dead messages (${dead})`}
            />
            <ChangeButton what="drop" body={{ all: true }} label="Drop all dead" of={`all dead messages (${dead})`} />
          </>
        )}
        <a class="button" download="" href={`inbox/export${state === undefined ? "" : `?state=${state}`}`}>
          Export messages
        </a>
      </div>
      <h2>{state === undefined ? "Waiting and dead messages" : `Messages in the state ${state}`}</h2>
      <nav class="states" aria-label="State">
        {[undefined, ...messageStates].map((one) => (
          <a href={addressOf(one)} aria-current={one === state ? "true" : undefined}>
            {one ?? "waiting and dead"}
          </a>
        ))}
      </nav>
      {data.length === 0 ? (
        <p>{state === undefined ? "No messages wait." : "No messages are in this state."}</p>
      ) : (
        <ul class="items">
          {data.map((message) => (
            <Message message={message} />
          ))}
        </ul>
      )}
      {pagination.next === null ? null : (
        <p>
          <a href={addressOf(state, pagination.next)}>Next messages</a>
        </p>
      )}
    </>
  );
}

function Message({ message }: { message: InboxEntry }) {
  const { id, door, event_id, state, failure, attempts, received_at, changed_at, next_attempt_at } = message;
  const of = `message ${event_id} of ${door.name}`;
  return (
    <li>
      <h3>{door.name}</h3>
      <dl>
        <dt>Kind</dt>
        <dd>{doorKindLabel(door.kind)}</dd>
        <dt>State</dt>
        <dd>
          {state}: {MESSAGE_STATES[state]}
        </dd>
        <dt>Received</dt>
        <dd>
          <Ago at={received_at} />
        </dd>
        {failure === null ? null : (
          <>
            <dt>Reason</dt>
            <dd class="reason">
              {failureCause(failure)}. {state === "dead" ? failureRemedy(failure) : null}
            </dd>
          </>
        )}
        {next_attempt_at === null ? null : (
          <>
            <dt>Next attempt</dt>
            <dd>
              <Ago at={next_attempt_at} />
            </dd>
          </>
        )}
      </dl>
      <details>
        <summary>Details of {of}</summary>
        <dl>
          <dt>Event ID</dt>
          <dd>
            <code>{event_id}</code>
          </dd>
          <dt>Conversation</dt>
          <dd>{message.conversation === null ? "None" : <code>{message.conversation}</code>}</dd>
          <dt>Received</dt>
          <dd>
            <Moment at={received_at} />
          </dd>
          <dt>Last change</dt>
          <dd>
            <Moment at={changed_at} />
          </dd>
          <dt>Attempts</dt>
          <dd>{attempts}</dd>
          <dt>Size</dt>
          <dd>{number.format(message.bytes)} bytes</dd>
        </dl>
      </details>
      <div class="row">
        {canReplay(message) ? <ChangeButton what="replay" body={{ ids: [id] }} label="Replay message" of={of} /> : null}
        {canDrop(message) ? <ChangeButton what="drop" body={{ ids: [id] }} label="Drop message" of={of} /> : null}
      </div>
    </li>
  );
}

interface ChangeButtonProps {
  what: "replay" | "drop";
  body: object;
  label: string;
  of: string;
}

function ChangeButton({ what, body, label, of }: ChangeButtonProps) {
  const verb = what === "replay" ? "Replay" : "Drop";
  return (
    <button
      class="button"
      type="button"
      aria-label={`${verb} ${of}`}
      data-method="POST"
      data-path={`inbox/${what}`}
      data-body={JSON.stringify(body)}
      data-confirm={`${verb} ${of}? ${INBOX_CHANGES[what]}`}
      data-done={what === "replay" ? "Messages queued again: {changed}." : "Messages dropped: {changed}."}
    >
      {label}
    </button>
  );
}
