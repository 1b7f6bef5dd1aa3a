/** Scripts of the account with their routes, cron triggers and static files. */
import * as z from "zod";
import { type Case, casesOf, NOT_DOCUMENTED, type Product } from "../case.ts";
import { all, checkEqual, checkRefused, checkShape, checkThat, idOf } from "../checks.ts";
import { lifecycleCases } from "../lifecycle.ts";
import { awaitText, SERVING, serveScript } from "../serving.ts";
import { createScript, HELLO, putScript, SANDBOX, uploadAssets } from "../uploads.ts";

const scripts: Product = {
  name: "workers",
  permission: "Workers Scripts (Edit)",
  creates: ["script"],
  standIn: "cloudflare/kinds/scripts/api.ts",
};
const triggers: Product = { ...scripts, standIn: "cloudflare/kinds/cron-triggers/api.ts" };
const assets: Product = { ...scripts, standIn: "cloudflare/kinds/assets/api.ts" };
const routes: Product = {
  name: "workers",
  permission: "Workers Scripts (Edit) and Workers Routes (Edit) on the zone",
  creates: ["script", "route"],
  inZone: true,
  standIn: "cloudflare/kinds/routes/api.ts",
};
const serving: Product = { ...routes, ...SERVING };

const path = "/accounts/:account_id/workers/scripts" as const;
const item = `${path}/:script_name` as const;
const service = "/accounts/:account_id/workers/services/:service_name" as const;
const zoneRoutes = "/zones/:zone_id/workers/routes" as const;
const route = `${zoneRoutes}/:id` as const;

const SCRIPTS = "https://developers.cloudflare.com/api/resources/workers/subresources/scripts/";
const METADATA = "https://developers.cloudflare.com/workers/configuration/multipart-upload-metadata/";
const MIGRATIONS = "https://developers.cloudflare.com/durable-objects/reference/durable-objects-migrations/";
const ASSETS = "https://developers.cloudflare.com/workers/static-assets/direct-upload/";
const PROVIDER =
  "https://github.com/cloudflare/terraform-provider-cloudflare/blob/main/internal/services/workers_script/resource.go";

const settings = z.looseObject({
  bindings: z.array(z.looseObject({ type: z.string(), name: z.string() })),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
});

export const workersCases: Case[] = [
  ...lifecycleCases(scripts, {
    name: "script",
    title: "a script",
    source: SCRIPTS,
    operations: { create: `PUT ${item}`, read: `GET ${service}`, list: `GET ${path}`, remove: `DELETE ${item}` },
    create: createScript,
    // The vendor's provider reads the script's service.
    read: ({ sdk }, { account_id }, name) => sdk.get(`/accounts/${account_id}/workers/services/${name}`),
    shape: z.looseObject({
      result: z.looseObject({ default_environment: z.looseObject({ script: z.looseObject({ etag: z.string() }) }) }),
    }),
    again: {
      async create(client, scope) {
        const name = await createScript(client, scope);
        return { call: putScript(client, scope, name) };
      },
      outcome: "accepted",
      reliesOn: "A second upload of a script replaces it.",
    },
    list: async ({ sdk }, { account_id }) => (await all(sdk.workers.scripts.list({ account_id }))).map(({ id }) => id),
    remove: ({ sdk }, { account_id }, name) => sdk.workers.scripts.delete(name, { account_id }),
    missing: { codes: [10007, 10090], source: PROVIDER },
  }),
  ...casesOf(scripts, {
    "script-settings": {
      operations: [`GET ${item}/settings`],
      reliesOn: "The settings have bindings, date and flags of an upload, and names of secrets without their values.",
      source: METADATA,
      async run(client, scope) {
        const secret = { type: "secret_text", name: "TOKEN", text: "hidden" };
        const plain = { type: "plain_text", name: "MODE", text: "test" };
        const name = await createScript(client, scope, {
          bindings: [secret, plain],
          compatibility_flags: ["nodejs_compat"],
        });
        const found = await client.sdk.workers.scripts.scriptAndVersionSettings.get(name, {
          account_id: scope.account_id,
        });
        const { bindings, compatibility_flags } = checkShape("The settings", found, settings);
        checkEqual(
          "The binding TOKEN",
          bindings.find((one) => one.name === "TOKEN"),
          { type: "secret_text", name: "TOKEN" },
        );
        checkEqual(
          "The binding MODE",
          bindings.find((one) => one.name === "MODE"),
          plain,
        );
        checkEqual("The flags", compatibility_flags, ["nodejs_compat"]);
      },
    },
    "script-settings-missing": {
      operations: [`GET ${item}/settings`],
      reliesOn: "The settings of a missing script are refused with 404.",
      source: PROVIDER,
      async run({ sdk }, { account_id, name }) {
        const read = sdk.workers.scripts.scriptAndVersionSettings.get(name(), { account_id });
        await checkRefused("a read of settings of a missing script", read, 404);
      },
    },
    "script-content": {
      operations: [`GET ${item}/content/v2`],
      reliesOn: "The content is a form, whose first part is the only module with the uploaded bytes.",
      source: PROVIDER,
      async run(client, scope) {
        const name = await createScript(client, scope);
        const answer = await client.sdk.workers.scripts.content.get(name, { account_id: scope.account_id });
        const form = await answer.formData();
        const [[file, module] = []] = [...form.entries()];
        checkEqual("The name of the module", file, "index.js");
        checkEqual("The module", typeof module === "string" ? module : await module?.text(), HELLO);
      },
    },
    "script-download": {
      operations: [`GET ${item}`],
      reliesOn: "A read of a script returns its content, so that an import finds it.",
      source: `${SCRIPTS}methods/get/`,
      async run(client, scope) {
        const name = await createScript(client, scope);
        const { status } = await client.request("GET", `/accounts/${scope.account_id}/workers/scripts/${name}`);
        checkEqual("The status", status, 200);
      },
    },
    "script-etag": {
      operations: [`PUT ${item}`],
      reliesOn: "The etag is the same for the same modules, and another for other modules.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const name = scope.own("script");
        const first = await putScript(client, scope, name);
        checkEqual("The etag of the same upload", await putScript(client, scope, name), first);
        const other = await putScript(client, scope, name, {}, `${HELLO}\n// changed`);
        checkThat("other modules have another etag", other !== first);
      },
    },
    "script-migration-tag": {
      operations: [`PUT ${item}`, `GET ${path}`],
      reliesOn: "The list of scripts has the tag of the last migration (`ObjectClasses` reads it).",
      source: `${SCRIPTS}methods/list/`,
      async run(client, scope) {
        const { account_id } = scope;
        const migrations = { new_tag: "v1", new_sqlite_classes: ["Sandbox"] };
        const name = await createScript(client, scope, { migrations }, SANDBOX.code);
        const listed = async () =>
          (await all(client.sdk.workers.scripts.list({ account_id }))).find(({ id }) => id === name);
        const found = await scope.eventually("a script in the list", listed, (one) => one !== undefined);
        checkEqual("The migration tag", found?.migration_tag, "v1");
        await putScript(client, scope, name, {}, SANDBOX.code);
        checkEqual("The tag after an upload without a migration", (await listed())?.migration_tag, "v1");
      },
    },
    "script-migration-repeated": {
      operations: [`PUT ${item}`],
      reliesOn: "A repeated migration is refused with 400, so that each tag is sent once.",
      source: MIGRATIONS,
      async run(client, scope) {
        const metadata = { migrations: { new_tag: "v1", new_sqlite_classes: ["Sandbox"] } };
        const name = await createScript(client, scope, metadata, SANDBOX.code);
        const again = putScript(client, scope, name, metadata, SANDBOX.code);
        await checkRefused("a repeated migration", again, 400);
      },
    },
    "script-invalid-code": {
      operations: [`PUT ${item}`],
      reliesOn: "An upload of code that cannot start is refused with status 400 and code 10021.",
      source: "https://developers.cloudflare.com/workers/observability/errors/#script-startup-errors",
      async run(client, scope) {
        const upload = putScript(client, scope, scope.own("script"), {}, "export default {");
        await checkRefused("an upload of invalid code", upload, 400, 10021);
      },
    },
    "script-missing-binding": {
      operations: [`PUT ${item}`],
      reliesOn: "An upload with a binding to a missing KV namespace is refused with 400, and stores nothing.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const name = scope.own("script");
        const binding = { type: "kv_namespace", name: "KV", namespace_id: "0".repeat(32) };
        const upload = putScript(client, scope, name, { bindings: [binding] });
        await checkRefused("an upload with a missing KV namespace", upload, 400);
        const { status } = await client.request(
          "GET",
          `/accounts/${scope.account_id}/workers/scripts/${name}/settings`,
        );
        checkEqual("The status of a read of its settings", status, 404);
      },
    },
  }),
  ...casesOf(triggers, {
    "schedules-replace": {
      operations: [`PUT ${item}/schedules`, `GET ${item}/schedules`],
      reliesOn: "A write replaces all cron triggers of a script, and the first read shows them.",
      source: `${SCRIPTS}subresources/schedules/`,
      async run(client, scope) {
        const { schedules } = client.sdk.workers.scripts;
        const account = { account_id: scope.account_id };
        const name = await createScript(client, scope);
        const crons = async () => (await schedules.get(name, account)).schedules?.map(({ cron }) => cron);
        checkEqual("The triggers of a new script", await crons(), []);
        for (const cron of ["*/5 * * * *", "0 3 * * *"]) {
          await schedules.update(name, { ...account, body: [{ cron }] });
          checkEqual("The triggers", await crons(), [cron]);
        }
        await schedules.update(name, { ...account, body: [] });
        checkEqual("The triggers after a write of none", await crons(), []);
      },
    },
    "schedules-missing": {
      operations: [`GET ${item}/schedules`],
      reliesOn: "The cron triggers of a missing script are refused with 404.",
      source: `${SCRIPTS}subresources/schedules/`,
      async run({ sdk }, { account_id, name }) {
        await checkRefused("a read of triggers", sdk.workers.scripts.schedules.get(name(), { account_id }), 404);
      },
    },
  }),
  ...casesOf(assets, {
    "assets-upload": {
      operations: [`POST ${item}/assets-upload-session`, "POST /accounts/:account_id/workers/assets/upload"],
      reliesOn: "A session takes every new file, and the last upload returns the token for the script.",
      source: ASSETS,
      async run(client, scope) {
        const name = await createScript(client, scope);
        const files = { "/index.html": `home of ${name}`, "/app.js": `app of ${name}` };
        const { jwt, sent } = await uploadAssets(client, scope, name, files);
        checkEqual("The number of requested files", sent, 2);
        const binding = { type: "assets", name: "ASSETS" };
        await putScript(client, scope, name, { assets: { jwt, config: {} }, bindings: [binding] });
        const again = await uploadAssets(client, scope, name, files);
        checkEqual("The number of requested files the second time", again.sent, 0);
      },
    },
    "assets-etag": {
      operations: [
        `POST ${item}/assets-upload-session`,
        "POST /accounts/:account_id/workers/assets/upload",
        `PUT ${item}`,
      ],
      reliesOn: "Another file alone does not change the etag: the project compares the files by their own hash.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const name = await createScript(client, scope);
        const bindings = [{ type: "assets", name: "ASSETS" }];
        const etags: string[] = [];
        for (const text of ["one", "two"]) {
          const { jwt } = await uploadAssets(client, scope, name, { "/index.html": `${text} of ${name}` });
          etags.push(await putScript(client, scope, name, { assets: { jwt, config: {} }, bindings }));
        }
        checkEqual("The etag with another file", etags[1], etags[0]);
      },
    },
    "assets-invalid-manifest": {
      operations: [`POST ${item}/assets-upload-session`],
      reliesOn: "A manifest with a path without a slash is refused with 400.",
      source: ASSETS,
      async run(client, scope) {
        const name = await createScript(client, scope);
        const manifest = { "index.html": { hash: "0".repeat(32), size: 1 } };
        const { upload } = client.sdk.workers.scripts.assets;
        await checkRefused("an invalid manifest", upload.create(name, { account_id: scope.account_id, manifest }), 400);
      },
    },
  }),
  ...lifecycleCases(routes, {
    name: "route",
    title: "a route",
    source: "https://developers.cloudflare.com/api/resources/workers/subresources/routes/",
    operations: {
      create: `POST ${zoneRoutes}`,
      read: `GET ${route}`,
      update: `PUT ${route}`,
      remove: `DELETE ${route}`,
    },
    async create(client, scope) {
      const script = await createScript(client, scope);
      const pattern = scope.own("route", `${scope.name()}.${scope.domain}/*`);
      return idOf((await client.sdk.workers.routes.create({ zone_id: scope.zone_id, pattern, script })).id);
    },
    read: ({ sdk }, { zone_id }, id) => sdk.workers.routes.get(id, { zone_id }),
    shape: z.looseObject({ id: z.string(), pattern: z.string(), script: z.string() }),
    again: {
      async create(client, scope) {
        const { zone_id } = scope;
        const script = await createScript(client, scope);
        const pattern = scope.own("route", `${scope.name()}.${scope.domain}/*`);
        await client.sdk.workers.routes.create({ zone_id, pattern, script });
        return { call: client.sdk.workers.routes.create({ zone_id, pattern, script }) };
      },
      outcome: { status: 409, codes: [10020] },
      source: NOT_DOCUMENTED,
    },
    update: {
      async send(client, scope, id) {
        const { zone_id } = scope;
        const script = await createScript(client, scope);
        const pattern = scope.own("route", `${scope.name()}.${scope.domain}/path/*`);
        return client.sdk.workers.routes.update(id, { zone_id, pattern, script });
      },
      shape: z.looseObject({ pattern: z.string().endsWith("/path/*") }),
      reliesOn: "An update changes pattern and script of a route, and keeps its id.",
    },
    remove: ({ sdk }, { zone_id }, id) => sdk.workers.routes.delete(id, { zone_id }),
  }),
  ...casesOf(serving, {
    "route-serves": {
      operations: [`POST ${zoneRoutes}`, `PUT ${item}`],
      reliesOn: "A host with a DNS record and a route reaches the script within a minute, and the newest upload later.",
      source: "https://developers.cloudflare.com/workers/configuration/routing/routes/",
      async run(client, scope) {
        const { host, script } = await serveScript(client, scope, {});
        await awaitText(scope, "a new host", host, "hello");
        await putScript(client, scope, script, {}, HELLO.replace("hello", "changed"));
        await awaitText(scope, "a new version", host, "changed");
      },
    },
  }),
];
