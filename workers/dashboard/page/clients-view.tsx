/** The page that lists clients. */
import type { ListedClient } from "../../../database/tenants/clients.ts";
import type { ClientState, InstanceState } from "../../../domain/instance-state.ts";
import type { Caller } from "../identity/caller.ts";
import { Layout } from "./layout.tsx";
import { type Place, tenantUrl } from "./tenant-url.ts";

const COLUMNS = ["Client", "Name", "Partner", "Plan", "Status", "Instance", "AI gateway"];

interface Props {
  clients: readonly ListedClient[];
  /** Of all pages. */
  total: number;
  /** Cursor of the next page; undefined on the last. */
  next: string | undefined;
  /** Whether it is the first page. */
  first: boolean;
  caller: Caller;
  place: Place;
  nonce: string;
}

export function ClientsView({ clients, total, next, first, caller, place, nonce }: Props) {
  return (
    <Layout title="Clients · Tenantry" nonce={nonce} caller={caller.name || caller.email}>
      <h1>
        Clients <span class="quiet">{total}</span>
      </h1>
      {total === 0 ? (
        <p class="notice">
          No clients yet. Declare one under <code>clients</code> in the stack's settings and deploy; it appears here.
        </p>
      ) : (
        <div class="table">
          <table>
            <thead>
              <tr>
                {COLUMNS.map((column) => (
                  <th scope="col">{column}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {clients.map((client) => (
                <ClientRow client={client} place={place} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pages next={next} first={first} />
    </Layout>
  );
}

function ClientRow({ client, place }: { client: ListedClient; place: Place }) {
  const { slug, instance } = client;
  return (
    <tr>
      <td>{instance === null ? slug : <a href={tenantUrl(slug, instance.environment, place)}>{slug}</a>}</td>
      <td>{client.name}</td>
      <td>{client.partner?.name ?? <span class="quiet">internal</span>}</td>
      <td>{client.billingPlan}</td>
      <td>
        <State state={client.status} tone={CLIENT_TONES[client.status]} />
      </td>
      <td>
        {instance === null ? (
          <span class="quiet">none</span>
        ) : (
          <State state={instance.status} tone={INSTANCE_TONES[instance.status]} />
        )}
      </td>
      <td>
        {instance?.aiGateway ? instance.aiGateway.id : <span class="quiet">none</span>}
        {instance?.aiGateway ? <span class="quiet"> · {instance.aiGateway.pooled ? "pool" : "dedicated"}</span> : null}
      </td>
    </tr>
  );
}

type Tone = "good" | "busy" | "bad" | "quiet";
const CLIENT_TONES: Record<ClientState, Tone> = { draft: "quiet", active: "good", production: "good" };
const INSTANCE_TONES: Record<InstanceState, Tone> = {
  provisioning: "busy",
  running: "good",
  frozen: "bad",
  stopped: "quiet",
  error: "bad",
};

function State({ state, tone }: { state: string; tone: Tone }) {
  return <span class={`state ${tone}`}>{state}</span>;
}

function Pages({ next, first }: Pick<Props, "next" | "first">) {
  if (next === undefined && first) return null;
  return (
    <nav aria-label="Pages">
      {first ? null : <a href="/">First page</a>}
      {next === undefined ? null : <a href={`/?after=${next}`}>Next</a>}
    </nav>
  );
}
