/** The page that lists clients. */
import type { ListedClient } from "../../database/clients.ts";
import type { Environment } from "../../domain/environment.ts";
import { tenantHostname } from "../../domain/hostnames.ts";
import type { ClientState, InstanceState } from "../../domain/instance-state.ts";
import type { ClientPage, Pagination } from "./client-page.ts";
import type { Caller } from "./dashboard-users.ts";
import { Layout } from "./layout.tsx";

/** Where tenants are reached: scheme and port are those by which the dashboard itself was reached. */
export interface Place {
  url: URL;
  domain: string;
}

const COLUMNS = ["Client", "Name", "Partner", "Plan", "Status", "Instance", "AI gateway"];

export function ClientsView(props: ClientPage & { caller: Caller; place: Place; nonce: string }) {
  const { clients, pagination, caller, place, nonce } = props;
  return (
    <Layout title="Clients · Tenantry" nonce={nonce} caller={caller.name || caller.email}>
      <h1>
        Clients <span class="quiet">{pagination.total}</span>
      </h1>
      {pagination.total === 0 ? (
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
      <Pages pagination={pagination} />
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

function Pages({ pagination: { page, per_page, total_pages } }: { pagination: Pagination }) {
  if (total_pages <= 1) return null;
  const link = (target: number) => `/?page=${target}&per_page=${per_page}`;
  return (
    <nav aria-label="Pages">
      {page > 1 ? <a href={link(Math.min(page - 1, total_pages))}>Previous</a> : null}
      <span class="quiet">
        Page {page} of {total_pages}
      </span>
      {page < total_pages ? <a href={link(page + 1)}>Next</a> : null}
    </nav>
  );
}

function tenantUrl(slug: string, environment: Environment, { url, domain }: Place): string {
  const port = url.port === "" ? "" : `:${url.port}`;
  return `${url.protocol}//${tenantHostname(slug, environment, domain)}${port}/`;
}
