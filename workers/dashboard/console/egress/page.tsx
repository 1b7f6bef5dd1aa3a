/** The console's page of what the tenant's container may reach, and of what it reached. */

import { textOfEntries } from "#domain/egress/entry-text.ts";
import { type EgressHost, type EgressPolicy, egressModes } from "#domain/egress/policy-types.ts";
import { TENANT_ADMINS } from "#workers/contracts/api/route.ts";
import type { Egress, EgressTraffic } from "#workers/contracts/api/tenants/egress.ts";
import { EGRESS_LAYERS, EGRESS_MODES } from "#workers/contracts/api/tenants/egress-texts.ts";
import { egressBody, extendedAllowlist, hostsBody } from "../../api/egress/policies.ts";
import type { Settings } from "../../env.ts";
import { Failure } from "../../http/failure.tsx";
import { TenantOrders } from "../../tenants/tenant-orders.ts";
import { Ago } from "../moment.tsx";
import type { ConsolePage } from "../page.ts";
import { type ConsoleEgress, channelsOf, findConsoleEgress } from "./policies.ts";
import { SCRIPT } from "./script.ts";
import { findSecrets } from "./secrets.ts";
import { Secrets } from "./secrets-section.tsx";

const SHEET = `
textarea { width: 100%; min-height: 10rem; font: inherit; font-family: ui-monospace, monospace; }
.reason { color: var(--text); }
`;

export const egressPage: ConsolePage = {
  path: "network-access",
  label: "Network access",
  callers: TENANT_ADMINS,
  async load({ db, settings, person, query }) {
    const stored = await findConsoleEgress(db, person);
    const egress = egressBody(settings, stored);
    const secrets = await findSecrets(db, person);
    const report = await new TenantOrders(settings).egress(person.slug).catch(messageOf);
    const proposed =
      query.from === "hosts" && typeof report !== "string"
        ? await proposedPolicy(settings, stored, report.hosts).catch(messageOf)
        : undefined;
    const hosts = typeof report === "string" ? report : hostsBody(report);
    return {
      title: `Network access of ${person.client.name}`,
      body: (
        <>
          <Policies egress={egress} proposed={proposed} />
          <h2 id="hosts">Hosts</h2>
          {typeof hosts === "string" ? (
            <p class="fault" role="alert">
              {hosts}
            </p>
          ) : (
            <>
              {hosts.restart_required ? <p>Restart the gateway to close connections that the policy refuses.</p> : null}
              <Hosts traffic={hosts.data} />
            </>
          )}
          <Secrets secrets={secrets} />
        </>
      ),
      script: SCRIPT,
      styles: SHEET,
    };
  },
};

/** Returns a message for a person. */
function messageOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  throw error;
}

/** @throws Failure when the hosts are no valid policy */
const proposedPolicy = async (
  settings: Settings,
  stored: ConsoleEgress,
  hosts: readonly EgressHost[],
): Promise<EgressPolicy> =>
  extendedAllowlist(settings, stored.tenant, { hosts, channels: await channelsOf(settings, stored) });

/** @param props.proposed a policy for the form that is not stored, or why there is none */
function Policies({ egress, proposed }: { egress: Egress; proposed: EgressPolicy | string | undefined }) {
  const { mode, layers, state, last_error, version } = egress;
  const tenant = typeof proposed === "object" ? proposed : layers.tenant;
  return (
    <>
      <p>
        The strictest policy holds: <strong>{EGRESS_MODES[mode]}</strong>
      </p>
      <dl>
        {(["plan", "platform", "partner"] as const).map((name) => (
          <>
            <dt>{EGRESS_LAYERS[name]}</dt>
            <dd>{described(layers[name])}</dd>
          </>
        ))}
        {state === "pushing" ? (
          <>
            <dt>State</dt>
            <dd>The tenant receives the policy in a moment.</dd>
          </>
        ) : null}
        {last_error === null ? null : (
          <>
            <dt>Error</dt>
            <dd>{last_error}</dd>
          </>
        )}
      </dl>
      <form id="policy" method="post" autocomplete="off" data-version={version}>
        <h2>Policy of the tenant</h2>
        {typeof proposed === "string" ? (
          <p class="fault" role="alert">
            {proposed}
          </p>
        ) : null}
        {typeof proposed === "object" ? <p>The hosts below are listed. Preview the policy, and store it.</p> : null}
        <label>
          Mode
          <select name="mode">
            <option value="" selected={tenant === null}>
              None
            </option>
            {egressModes.map((one) => (
              <option value={one} selected={tenant?.mode === one}>
                {EGRESS_MODES[one]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Allowed hosts, one a line
          <textarea name="entries" spellcheck={false}>
            {textOfEntries(tenant?.entries ?? [])}
          </textarea>
        </label>
        <p class="quiet">
          For example <code>api.example.com</code>, <code>*.example.com</code>, or with ports and methods{" "}
          <code>api.example.com 443,8443 GET,POST</code>.
        </p>
        <div class="row">
          <button class="button primary" name="submit" type="submit">
            Store policy
          </button>
          <button class="button" name="preview" type="button">
            Preview policy
          </button>
        </div>
      </form>
    </>
  );
}

function described(policy: EgressPolicy | null): string {
  if (policy === null) return "None";
  return policy.mode === "allowlist"
    ? `${EGRESS_MODES.allowlist}: ${policy.entries.map(({ host }) => host).join(", ") || "none"}`
    : EGRESS_MODES[policy.mode];
}

function Hosts({ traffic }: { traffic: readonly EgressTraffic[] }) {
  if (traffic.length === 0) return <p>No hosts are recorded.</p>;
  return (
    <>
      <p>
        <a class="button" href="?from=hosts">
          Create allowlist from these hosts
        </a>
      </p>
      <ul class="items">
        {traffic.map(({ host, port, program, requests, refused, reason, last_at }) => (
          <li>
            <h3>
              {host}:{port}
            </h3>
            <p class={refused > 0 ? "reason" : "quiet"}>
              {requests} requests{program === null ? "" : ` by ${program}`}, {refused} refused
              {reason === null ? "" : ` (${reason})`}, last <Ago at={last_at} />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
