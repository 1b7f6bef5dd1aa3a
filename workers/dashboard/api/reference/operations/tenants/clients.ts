import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { client, DOMAIN, draftClient, IDS, instance, NORTHWIND, onePage } from "../examples.ts";
import { section } from "../section.ts";

const params = { client_id: IDS.client };
const frozen = {
  id: IDS.instance,
  environment: instance.environment,
  ai_gateway_id: "pool-a",
  ai_gateway_pooled: true,
  status: "frozen",
} as const;

const deleted = {
  ...client,
  instance: { ...frozen, frozen_by: "deletion" },
  delete_after: "2026-11-09T15:00:00.000Z",
  deletion_by: "platform",
  updated_at: "2026-11-02T15:00:00.000Z",
  version: 6,
} as const;

export const clientSection = section(
  clientRoutes,
  "Clients",
  "A client is a customer: a name, a billing plan, users and credit. It has at most one instance, the gateway that runs for it. A client belongs to a partner, or is internal to the platform.",
  {
    listClients: {
      description:
        "Returns the clients that the caller has access to, with their instance and partner, by slug unless `sort` says otherwise. Filters can be combined. `total` is returned only without filters.",
      query: { status: "production", sort: "-created_at", limit: 20 },
      answer: onePage(client),
    },
    previewClient: {
      description:
        "Returns what a client with this slug and plan would get now: host name, container, AI gateway and monthly fee. `faults` lists what prevents the creation. The request creates and reserves nothing.",
      query: { slug: "acme", billing_plan: "basic" },
      answer: {
        slug: "acme",
        hostname: `acme.${DOMAIN}`,
        billing_plan: "basic",
        partner: NORTHWIND,
        container: { type: "standard-1", memory_mib: 4096, vcpu: 0.5, disk_gb: 8 },
        ai_gateway: { kind: "pooled", id: "pool-a" },
        monthly_fee_micros: 29_000_000,
        faults: [],
      },
      errors: { forbidden: "A partner root named another partner in `partner_id`." },
    },
    getClient: {
      description:
        "Returns a client with its partner and the state of its instance. The `ETag` of the response is the version for `If-Match`.",
      params,
      answer: client,
    },
    createClient: {
      description:
        "Creates a client in the status `draft`, without an instance. Provision its instance with `createInstance`, and let it take traffic by setting the status to `active` with `updateClient`. The slug becomes the host name and cannot change later.",
      body: { slug: "acme", name: "Acme Corporation", billing_plan: "basic", partner_id: IDS.partner },
      answer: draftClient,
      errors: {
        conflict:
          "The slug is in use, or belongs to a deleted client in its grace period. In the second case `details` has its ID.",
        forbidden: "A partner root named another partner in `partner_id`.",
      },
    },
    updateClient: {
      description:
        "Changes the given fields of a client. The ID is in the body. A new plan also queues the job `change_plan`, which redeploys the Worker of the instance. A new status takes effect on traffic within seconds.",
      body: { id: IDS.client, status: "production", maintenance_window: client.maintenance_window },
      answer: client,
      errors: {
        conflict:
          "The status cannot follow the current one, or a job on the instance is queued or running and prevents a change of plan.",
        forbidden: "A partner root tried to set `canary`, or to move the client to another partner.",
      },
    },
    setMaintenanceWindow: {
      description:
        "Sets when rollouts and other changes that are not urgent may interrupt the tenant. An ADMIN of the client may do so too.",
      params,
      body: { maintenance_window: client.maintenance_window },
      answer: client,
    },
    setCanary: {
      description:
        "Sets whether rollouts reach the tenant before all others, in their first group. An ADMIN of the client may do so too.",
      params,
      body: { canary: true },
      answer: { ...client, canary: true },
    },
    viewClient: {
      description:
        "Returns an address that opens the console as an ADMIN of the client sees it, without changes and downloads. The client's ADMINs see in their list of changes that an operator viewed it.",
      params,
      answer: { url: `https://dash.${DOMAIN}/console/acme/enter?ticket=TICKET` },
      errors: { conflict: "The client has no instance." },
    },
    deleteClient: {
      description:
        "Schedules the deletion of a client in seven days and freezes its instance at once. Until then `restoreClient` undoes it. After the grace period the job `delete_client` removes the instance, its data and the client. `now=true` ends the grace period of a deleted client and cannot be undone; an ADMIN uses `eraseClient` instead.",
      params,
      answer: deleted,
      errors: {
        conflict:
          "`now=true` was sent for a client that is not deleted, or another operation on the instance is running.",
        forbidden:
          "A partner root tried to end a grace period that the platform or missing credit started, or an ADMIN sent `now=true`.",
      },
    },
    eraseClient: {
      description:
        "Ends the grace period of a deleted client, and deletes the backups too. This cannot be undone. Caller and platform get a certificate of what was erased (`getErasure`); it is mailed to the caller. An ADMIN can erase what an ADMIN deleted.",
      params,
      body: { slug: "acme" },
      answer: deleted,
      errors: {
        conflict: "The client is not deleted, or was deleted because its credit is used up.",
        forbidden: "The caller may not end the grace period, because the platform or the partner deleted the client.",
      },
    },
    exportClient: {
      description:
        "Returns everything of a client as a tar archive: the newest backup of its state, its configuration without secrets, its history, and the changes that the caller may read. Its last file is a manifest with sizes and hashes; an archive without it is incomplete. The export also works while the client is frozen or deleted.",
      params,
      errors: { conflict: "The tenant's Worker is of an earlier version." },
    },
    restoreClient: {
      description:
        "Cancels the deletion of a client in its grace period, and resumes its instance if the deletion froze it. A partner root cannot restore what the platform deleted, and an ADMIN only what an ADMIN deleted.",
      params,
      answer: { ...client, updated_at: "2026-11-02T15:20:00.000Z", version: 7 },
      errors: {
        conflict: "The client is not deleted, its data is being erased, or its credit is used up.",
        forbidden: "A caller with more rights deleted the client.",
      },
    },
    freezeClient: {
      description:
        "Stops the traffic to the client's instance within seconds and keeps its data. Its administrators can still download backups. A frozen instance stays frozen until `resumeClient`. A partner root cannot resume what a platform root froze, and an ADMIN only what an ADMIN froze.",
      params,
      body: { cause: "Invoice 2026-10 is unpaid." },
      answer: {
        ...client,
        instance: { ...frozen, frozen_by: "platform" },
        updated_at: "2026-11-02T15:00:00.000Z",
        version: 6,
      },
      errors: {
        conflict: "The client has no instance, or its instance is stopped or is being changed by another operation.",
      },
    },
    resumeClient: {
      description:
        "Lets a frozen instance take traffic again, within seconds. An instance that was frozen because its credit is used up resumes only after a purchase.",
      params,
      answer: { ...client, updated_at: "2026-11-02T15:20:00.000Z", version: 7 },
      errors: {
        conflict: "The instance is not frozen, its client is deleted, or its credit is used up.",
        forbidden: "A caller with more rights froze the instance.",
      },
    },
    getClientPartner: {
      description: "Returns ID, slug and name of the partner that owns a client, or `null` for an internal client.",
      params,
      answer: NORTHWIND,
    },
  },
);
