/** Calls of namespaced scripts by the dispatch Worker, which knows its errors by their messages (`workers/dispatch/forward/worker-call.ts`). */
import { type Case, casesOf, NOT_DOCUMENTED, type Product } from "../case.ts";
import { checkEqual, checkThat } from "../checks.ts";
import type { Client } from "../run/client.ts";
import type { Scope } from "../run/scope.ts";
import { awaitText, SERVING, serveScript } from "../serving.ts";
import { createTenant, HELLO, patchTenant, putTenant, SANDBOX } from "../uploads.ts";

const product: Product = {
  ...SERVING,
  name: "workers-for-platforms",
  requires: "Workers for Platforms",
  creates: ["dispatch_namespace", "namespaced_script", ...SERVING.creates],
  standIn: "runtime/cells/cells.ts",
};
const namespaces = "/accounts/:account_id/workers/dispatch/namespaces" as const;
const script = `${namespaces}/:dispatch_namespace/scripts/:script_name` as const;
const DISPATCH =
  "https://developers.cloudflare.com/cloudflare-for-platforms/workers-for-platforms/configuration/dynamic-dispatch/";
const LIMITS =
  "https://developers.cloudflare.com/cloudflare-for-platforms/workers-for-platforms/configuration/custom-limits/";

/** Calls the script that the path names, with its limits; responds with the text, or with the error's message. */
const DISPATCHER = `export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const limits = { cpuMs: Number(searchParams.get("cpu") ?? 50), subRequests: Number(searchParams.get("sub") ?? 50) };
    try {
      const response = await env.DISPATCHER.get(pathname.slice(1), {}, { limits }).fetch(request);
      return new Response(await response.text());
    } catch (error) {
      return new Response("error: " + error.message);
    }
  },
};`;

/** @returns host of a dispatcher of a namespace with one script, whose name is the path */
async function serveTenant(client: Client, scope: Scope, metadata: object, code: string) {
  const tenant = await createTenant(client, scope, metadata, code);
  const bindings = [{ type: "dispatch_namespace", name: "DISPATCHER", namespace: tenant.dispatch_namespace }];
  const { host } = await serveScript(client, scope, { bindings }, DISPATCHER);
  return { host, tenant };
}

const isError = (body: string): boolean => body.startsWith("error: ");

export const dispatchCases: Case[] = casesOf(product, {
  "dispatch-versions": {
    operations: [`PUT ${script}`, `PATCH ${script}/settings`],
    reliesOn: "A dispatcher reaches a new script, its newest upload and its newest bindings within a minute.",
    source: DISPATCH,
    async run(client, scope) {
      const code = 'export default { fetch: (_request, env) => new Response(env.TEXT ?? "hello") };';
      const { host, tenant } = await serveTenant(client, scope, {}, code);
      const path = `/${tenant.name}`;
      await awaitText(scope, "a new script", host, "hello", { path });
      const text = (value: string) => ({ bindings: [{ type: "plain_text", name: "TEXT", text: value }] });
      await patchTenant(client, scope, tenant, text("changed"));
      await awaitText(scope, "a change of bindings", host, "changed", { path });
      await putTenant(client, scope, tenant, text("uploaded"), `${code}\n// uploaded`);
      await awaitText(scope, "an upload", host, "uploaded", { path });
    },
  },
  "dispatch-missing-script": {
    operations: [`PUT ${script}`],
    reliesOn: "A call of a missing script throws an error whose message contains `worker not found`.",
    source: DISPATCH,
    async run(client, scope) {
      const { host, tenant } = await serveTenant(client, scope, {}, HELLO);
      await awaitText(scope, "a new script", host, "hello", { path: `/${tenant.name}` });
      const { body } = await scope.visit(host, "/missing");
      checkThat(
        `the message of a missing script contains "worker not found": ${body}`,
        /^error: .*worker not found/i.test(body),
      );
    },
  },
  "dispatch-cpu-limit": {
    operations: [`PUT ${script}`],
    reliesOn: "A script over its CPU limit throws an error in the dispatcher, whose message names the limit.",
    source: LIMITS,
    async run(client, scope) {
      const code = `export default { fetch(request) {
        if (new URL(request.url).searchParams.has("busy")) for (let n = 0; ; n += 1) Math.sqrt(n);
        return new Response("hello");
      } };`;
      const { host, tenant } = await serveTenant(client, scope, {}, code);
      await awaitText(scope, "a new script", host, "hello", { path: `/${tenant.name}` });
      const { body } = await scope.visit(host, `/${tenant.name}?busy&cpu=10`);
      const named = /^error: .*(exceeded (its )?(cpu|time|resource)|limit exceeded)/i;
      checkThat(`the message of an exceeded CPU limit is known: ${body}`, named.test(body));
    },
  },
  "dispatch-subrequest-limit": {
    operations: [`PUT ${script}`],
    reliesOn: "A script over its limit of subrequests gets an error whose message contains `too many subrequests`.",
    source: LIMITS,
    async run(client, scope) {
      const code = `export default { async fetch(request) {
        const count = Number(new URL(request.url).searchParams.get("calls") ?? 0);
        try {
          for (let n = 0; n < count; n += 1) await (await fetch("https://${scope.domain}/", { redirect: "manual" })).text();
        } catch (error) {
          return new Response("error: " + error.message);
        }
        return new Response("hello");
      } };`;
      const { host, tenant } = await serveTenant(client, scope, {}, code);
      await awaitText(scope, "a new script", host, "hello", { path: `/${tenant.name}` });
      const { body } = await scope.visit(host, `/${tenant.name}?calls=4&sub=2`);
      checkThat(`the message of exceeded subrequests is known: ${body}`, /^error: .*too many subrequests/i.test(body));
    },
  },
  "dispatch-object-calls": {
    operations: [`PUT ${script}`],
    reliesOn: "Calls of the script's own Durable Objects count as subrequests, so plans allow for them.",
    source: NOT_DOCUMENTED,
    async run(client, scope) {
      const { migrations, binding } = SANDBOX;
      const code = `import { DurableObject } from "cloudflare:workers";
      export class Sandbox extends DurableObject { fetch() { return new Response("object"); } }
      export default { async fetch(request, env) {
        const count = Number(new URL(request.url).searchParams.get("calls") ?? 0);
        const object = env.SANDBOX.get(env.SANDBOX.idFromName("one"));
        try {
          for (let n = 0; n < count; n += 1) await (await object.fetch("https://object/")).text();
        } catch (error) {
          return new Response("error: " + error.message);
        }
        return new Response("hello");
      } };`;
      const { host, tenant } = await serveTenant(client, scope, { migrations, bindings: [binding] }, code);
      await awaitText(scope, "a new script", host, "hello", { path: `/${tenant.name}` });
      checkEqual(
        "The answer within the limit",
        (await scope.visit(host, `/${tenant.name}?calls=2&sub=5`)).body,
        "hello",
      );
      const { body } = await scope.visit(host, `/${tenant.name}?calls=4&sub=2`);
      checkThat(`calls of objects over the limit are refused: ${body}`, isError(body));
    },
  },
});
