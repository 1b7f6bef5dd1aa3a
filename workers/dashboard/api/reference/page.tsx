import { allRoutes } from "#workers/contracts/api/all-routes.ts";
import type { Route } from "#workers/contracts/api/route.ts";
import { Layout } from "../../page/layout.tsx";
import { callersOf, openApiDocument, templateOf } from "./document.ts";

/** @param props.nonce of the style sheet in the content security policy */
export function ReferencePage({ nonce, caller }: { nonce: string; caller: string }) {
  const routes = allRoutes.flatMap((one) => Object.entries(one));
  const tags = [...new Set(routes.map(([, { tag }]) => tag))];
  return (
    <Layout title="API reference · Tenantry" nonce={nonce} caller={caller}>
      <h1>API reference</h1>
      <p>
        Machine-readable: <a href="/openapi.json">openapi.json</a>, OpenAPI 3.1.
      </p>
      {tags.map((tag) => (
        <section>
          <h2>{tag}</h2>
          {routes.map(([name, route]) => (route.tag === tag ? <Operation name={name} route={route} /> : null))}
        </section>
      ))}
    </Layout>
  );
}

function Operation({ name, route }: { name: string; route: Route }) {
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, unknown>> };
  return (
    <details id={name}>
      <summary>
        <code>
          {route.method.toUpperCase()} {route.path}
        </code>{" "}
        <span class="quiet">{route.summary}</span>
      </summary>
      <p>{callersOf(route)}</p>
      <pre>{JSON.stringify(paths[templateOf(route.path)]?.[route.method], null, 2)}</pre>
    </details>
  );
}
