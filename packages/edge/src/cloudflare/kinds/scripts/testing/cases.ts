import { type ApiServer, account_id, domain, moduleFile, uploadScript } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow, given, withScript } from "#cloudflare/api/testing/case.ts";
import { workersScriptsApi } from "../api.ts";
import { scriptSecretsApi } from "../secrets.ts";
import { workerServicesApi } from "../services.ts";

export const cases: Case[] = [
  {
    part: workersScriptsApi,
    create: async (cloudflare, n) => {
      await uploadScript(cloudflare, `app-${n}`);
      return `app-${n}`;
    },
    read: (cloudflare, id) => cloudflare.workers.scripts.scriptAndVersionSettings.get(id, { account_id }),
    expected: () => ({ compatibility_date: "2026-01-01", bindings: [] }),
    list: (cloudflare) => follow(cloudflare.workers.scripts.list({ account_id }), (one) => one.id),
    pages: 1,
    update: (cloudflare, id) =>
      cloudflare.workers.scripts.scriptAndVersionSettings.edit(id, { account_id, settings: { logpush: true } }),
    updated: { compatibility_date: "2026-01-01", logpush: true },
    remove: (cloudflare, id) => cloudflare.workers.scripts.delete(id, { account_id }),
    missing: { id: "nobody", status: 404, code: 10007 },
  },
  {
    part: workerServicesApi,
    create: async (cloudflare, n) => {
      await uploadScript(cloudflare, `app-${n}`);
      return `app-${n}`;
    },
    read: (cloudflare, id) => cloudflare.get(`/accounts/${account_id}/workers/services/${id}`),
    list: (cloudflare) => follow(cloudflare.workers.scripts.list({ account_id }), (one) => one.id),
    pages: 1,
    expected: (n) => ({ result: { id: `app-${n}`, default_environment: { script: { last_deployed_from: "api" } } } }),
    update: (cloudflare, id) =>
      cloudflare.put(`/accounts/${account_id}/workers/scripts/${id}/routes`, {
        body: [{ pattern: `${id}.${domain}/*` }],
      }),
    remove: (cloudflare, id) => cloudflare.delete(`/accounts/${account_id}/workers/services/${id}`),
    missing: { id: "nobody", status: 404, code: 10090 },
  },
  {
    part: scriptSecretsApi,
    prepare: withScript,
    create: async (cloudflare, n) => {
      const secret = { account_id, name: `SECRET_${n}`, text: "hidden", type: "secret_text" as const };
      return given((await cloudflare.workers.scripts.secrets.update("app", secret)).name);
    },
    read: (cloudflare, id) => cloudflare.workers.scripts.secrets.get(id, { account_id, script_name: "app" }),
    expected: (n) => ({ name: `SECRET_${n}`, type: "secret_text" }),
    list: (cloudflare) => follow(cloudflare.workers.scripts.secrets.list("app", { account_id }), (one) => one.name),
    pages: 1,
    remove: (cloudflare, id) => cloudflare.workers.scripts.secrets.delete(id, { account_id, script_name: "app" }),
    missing: { id: "NONE", status: 404, code: 10056 },
  },
];

/** Calls the operations that no case covers. */
export async function otherCalls(server: ApiServer): Promise<void> {
  await withScript(server);
  const { scripts } = server.cloudflare.workers;
  const metadata = { main_module: "index.js" };
  await scripts.get("app", { account_id });
  await scripts.content.update("app", { account_id, metadata, files: [await moduleFile("export default {};")] });
  await scripts.content.get("app", { account_id });
  await scripts.settings.edit("app", { account_id, logpush: true });
  await scripts.settings.get("app", { account_id });
  await scripts.subdomain.create("app", { account_id, enabled: true });
  await scripts.subdomain.get("app", { account_id });
  await scripts.subdomain.delete("app", { account_id });
  const files = [await moduleFile("export default {};")];
  const version_id = given((await scripts.versions.create("app", { account_id, metadata, files })).id);
  await scripts.versions.list("app", { account_id });
  await scripts.versions.get(version_id, { account_id, script_name: "app" });
  const versions = [{ version_id, percentage: 100 }];
  await scripts.deployments.create("app", { account_id, strategy: "percentage", versions });
  await scripts.deployments.list("app", { account_id });
  const secret = { name: "TOKEN", text: "hidden", type: "secret_text" as const };
  await scripts.secrets.bulkUpdate("app", { account_id, secrets: { TOKEN: secret } });
}

const version =
  "The id of the new version, which wrangler reads and prints, and the package declares nowhere in an upload's answer.";

/** Known differences from the `cloudflare` package, by `METHOD answers|takes PATH: PROBLEM`, with reasons. */
export const knownMismatches = {
  "workers.scripts.update answers deployment_id: is not declared": version,
  "workers.scripts.versions.get answers resources.bindings: is a list":
    "A list, as wrangler reads it. The package declares one object for it.",
};
