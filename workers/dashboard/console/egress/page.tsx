/** The console's page of what the tenant's container may reach, and of what it reached. */

import { textOfEntries } from "#domain/egress/entry-text.ts";
import { type EgressPolicy, egressModes } from "#domain/egress/policy-types.ts";
import { TENANT_ADMINS } from "#workers/contracts/api/route.ts";
import type { Egress, EgressTraffic } from "#workers/contracts/api/tenants/egress.ts";
import { EGRESS_LAYERS, EGRESS_MODES } from "#workers/contracts/api/tenants/egress-texts.ts";
import { egressBody, hostsBody } from "../../api/egress/policies.ts";
import { Failure } from "../../http/failure.tsx";
import { TenantOrders } from "../../tenants/tenant-orders.ts";
import { Ago } from "../moment.tsx";
import type { ConsolePage } from "../page.ts";
import { findConsoleEgress } from "./policies.ts";

const SHEET = `
textarea { width: 100%; min-height: 10rem; font: inherit; font-family: ui-monospace, monospace; }
.reason { color: var(--text); }
`;

const SCRIPT = `
  const form = byId("policy");
  const { mode, entries, preview, submit } = form.elements;
  const change = () => ({
    policy: mode.value === "" ? null : {
      mode: mode.value,
      entries: entries.value.split("\\n").map((line) => line.trim()).filter((line) => line !== ""),
    },
  });
  const put = (query) => send("PUT", "egress" + query, change(), { "if-match": '"' + form.dataset.version + '"' });
  preview.addEventListener("click", () => during(preview, async () => {
    const { would_refuse } = await put("?preview=true");
    show("done", would_refuse.length === 0
      ? "The policy refuses no recorded request."
      : "The policy would refuse: " + would_refuse.map(({ host, port, requests }) => host + ":" + port + " (" + requests + ")").join(", ") + ".");
  }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    during(submit, async () => {
      await put("");
      reload("Policy stored.");
    });
  });
`;

export const egressPage: ConsolePage = {
  path: "network-access",
  label: "Network access",
  callers: TENANT_ADMINS,
  async load({ db, settings, person }) {
    const egress = egressBody(settings, await findConsoleEgress(db, person));
    const hosts = await new TenantOrders(settings).egress(person.slug).then(hostsBody, (error: unknown) => {
      if (error instanceof Failure) return error.message;
      throw error;
    });
    return {
      title: `Network access of ${person.client.name}`,
      body: (
        <>
          <Policies egress={egress} />
          <h2>Hosts</h2>
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
        </>
      ),
      script: SCRIPT,
      styles: SHEET,
    };
  },
};

function Policies({ egress }: { egress: Egress }) {
  const { mode, layers, state, last_error, version } = egress;
  const { tenant } = layers;
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
  );
}
