/**
 * Which folder may import which. `npm run lint` fails on an import that this table does not allow, on a cycle, and on an import that
 * leaves a package other than through its `exports`.
 *
 * A folder's line names what it imports; its tests may also import what `tests` names.
 */
const LAYERS = [
  {
    folder: "packages/std",
    imports: [],
    is: "helpers without dependencies, for servers and Workers",
    tests: ["packages/test-kit"],
  },
  {
    folder: "packages/test-kit",
    imports: ["packages/std"],
    is: "what tests share: a browser, accessibility checks, raw HTTP",
  },
  {
    folder: "packages/automation-api",
    imports: [],
    is: "Pulumi's Automation API with fewer calls of the command line",
  },
  {
    folder: "packages/plugin-host",
    imports: ["packages/std"],
    tests: ["packages/automation-api", "packages/test-kit"],
    is: "serves providers to Pulumi's engine",
  },
  {
    folder: "packages/cloudflare-client",
    imports: ["packages/plugin-host"],
    is: "what a provider for Cloudflare needs beside the SDK",
  },
  {
    folder: "packages/cloudflare-limits",
    imports: [],
    is: "Cloudflare's documented limits, as data",
  },
  {
    folder: "packages/webhooks",
    imports: [],
    is: "verification of inbound webhooks, which knows nothing of Tenantry",
  },
  {
    folder: "packages/client",
    imports: [],
    tests: ["packages/test-kit"],
    is: "a client of the API for programs and browsers",
  },
  { folder: "packages/postgres", imports: ["packages/std"], is: "a Postgres server from an npm package" },
  {
    folder: "packages/postgrest",
    imports: ["packages/std"],
    tests: ["packages/postgres"],
    is: "PostgREST's functions over HTTP",
  },
  { folder: "packages/mail", imports: ["packages/std"], is: "a mail server that keeps what it is sent" },
  {
    folder: "packages/edge",
    imports: ["packages/std", "packages/plugin-host", "packages/cloudflare-client", "packages/cloudflare-limits"],
    tests: ["packages/postgres", "packages/test-kit"],
    is: "Cloudflare's platform on one machine, which knows nothing of Tenantry",
  },
  {
    folder: "domain",
    imports: ["packages/cloudflare-limits", "packages/std/src/public-address[.]ts", "packages/webhooks/src/kinds[.]ts"],
    is: "rules that stack, Workers and database share, without I/O",
  },
  {
    folder: "database",
    imports: ["domain"],
    tests: ["packages", "workers/contracts"],
    is: "the schema, its routines and every query",
  },
  {
    folder: "workers/contracts",
    imports: ["packages/cloudflare-limits", "packages/webhooks", "domain"],
    is: "what crosses a boundary: bodies, headers, bindings, errors",
  },
  {
    folder: "workers/shared",
    imports: ["packages/std", "packages/webhooks", "domain", "workers/contracts"],
    tests: ["packages", "workers/testing"],
    is: "what several Workers run",
  },
  {
    folder: "workers/dispatch",
    imports: [
      ...["packages/cloudflare-limits", "packages/std", "packages/webhooks"],
      ...["domain", "workers/contracts", "workers/shared"],
    ],
    tests: ["packages", "database", "workers/testing", "workers/[^/]+[.]ts"],
    is: "the Worker that routes a host to its tenant",
  },
  {
    folder: "workers/tenant",
    imports: [
      "packages/cloudflare-limits",
      "packages/std",
      "packages/webhooks",
      "packages/edge/src/index[.]ts",
      "domain",
      "workers/contracts",
      "workers/shared",
    ],
    tests: ["packages", "workers/testing", "workers/[^/]+[.]ts"],
    is: "the Worker that supervises a gateway",
  },
  {
    folder: "workers/dashboard/ui",
    imports: [
      "packages/client",
      "packages/webhooks/src/kinds[.]ts",
      "domain",
      "workers/contracts",
      "workers/shared/page/(brand-colours|tokens)[.]ts",
    ],
    tests: ["packages", "database", "workers/dashboard", "workers/testing"],
    is: "the web app: it asks the API for all else",
  },
  {
    folder: "workers/dashboard",
    imports: ["packages/std", "packages/webhooks", "domain", "database", "workers/contracts", "workers/shared"],
    tests: ["packages", "workers/dispatch", "workers/testing", "workers/[^/]+[.]ts"],
    is: "the control plane's API",
  },
  {
    folder: "workers/[^/]+[.]ts",
    imports: [
      ...["packages/std", "packages/cloudflare-client", "domain", "workers/contracts"],
      "workers/dashboard/api/reference/document[.]ts",
    ],
    is: "builds the Workers, and the client package from their API",
  },
  {
    folder: "components",
    imports: ["packages/cloudflare-client", "domain", "database", "workers/contracts", "workers/[^/]+[.]ts"],
    is: "the public library: Pulumi component resources",
  },
  {
    folder: "stack/provider",
    imports: [
      ...["packages/std", "packages/plugin-host", "packages/cloudflare-client"],
      ...["domain", "database", "workers/shared"],
    ],
    tests: ["packages", "components"],
    is: "the Pulumi provider `tenantry`",
  },
  {
    folder: "stack",
    imports: ["domain", "database", "components"],
    tests: ["packages"],
    is: "the program: settings, plan, outputs",
  },
  {
    folder: "index[.]ts",
    imports: ["domain", "components", "stack", "workers/[^/]+[.]ts"],
    is: "the Pulumi program",
  },
  { folder: "policy", imports: ["domain"], tests: ["components"], is: "rules that a deployment must keep" },
  {
    folder: "automation",
    imports: [
      ...[
        "packages/automation-api",
        "packages/cloudflare-client",
        "packages/std",
        "domain",
        "database",
        "workers/contracts",
        "workers/shared",
        "workers/[^/]+[.]ts",
      ],
      ...["stack/settings", "index[.]ts"],
    ],
    tests: ["packages", "workers/dashboard/testing"],
    is: "the service that provisions",
  },
  {
    folder: "local",
    imports: [
      ...[
        "packages",
        "domain",
        "database",
        "stack/provider",
        "components",
        "stack/settings",
        "automation",
        "index[.]ts",
      ],
      ...["workers/contracts", "workers/tenant/container"],
    ],
    is: "a platform on this machine",
  },
  {
    folder: "fleet",
    imports: [
      ...[
        "packages",
        "domain",
        "database",
        "stack/settings",
        "automation",
        "local",
        "workers/contracts",
        "workers/shared",
      ],
    ],
    is: "the command line of operators",
  },
  {
    folder: "conformance",
    imports: ["packages/std", "packages/cloudflare-client", "packages/edge", "local"],
    is: "cases that show whether Cloudflare and the edge do what the project relies on",
  },
  { folder: "docs/examples", imports: ["stack/outputs[.]ts"], is: "another project's code: it has the outputs" },
];

const FOLDERS =
  "^(packages/[^/]+|domain|database|workers|components|stack|index[.]ts|policy|automation|local|fleet|docs/examples|conformance|tests|bench)(/|$)";
const TESTS = "([.]test[.]tsx?|/testing/.*)$";
/** A folder whose line is another's part, such as `workers/dashboard/ui` of `workers/dashboard`. */
const within = (folder) =>
  LAYERS.map((layer) => layer.folder).filter((other) => other !== folder && other.startsWith(`${folder}/`));
const at = (folders) => folders.map((folder) => `^${folder}(/|$)`);

const layerRules = LAYERS.flatMap(({ folder, imports, tests = [], is }) => {
  const inner = at(within(folder));
  const rule = (name, from, allowed) => ({
    name,
    severity: "error",
    comment: `${folder} is ${is}. It imports ${allowed.join(", ") || "nothing"}; see .dependency-cruiser.mjs.`,
    from,
    to: { path: FOLDERS, pathNot: at([folder, ...allowed]).filter((path) => !inner.includes(path)) },
  });
  return [
    rule(`${folder}: layers`, { path: at([folder]), pathNot: [TESTS, ...inner] }, imports),
    rule(`${folder}: layers of tests`, { path: at([folder]).map((path) => `${path}.*${TESTS}`), pathNot: inner }, [
      ...imports,
      ...tests,
    ]),
  ];
});

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...layerRules,
    {
      name: "no cycle",
      severity: "error",
      comment: "Modules that import each other cannot be understood apart.",
      from: {},
      to: { circular: true },
    },
    {
      name: "resolves",
      severity: "error",
      comment: "The module does not exist, or its package does not export it.",
      from: {},
      to: { couldNotResolve: true, pathNot: "^cloudflare:" },
    },
    {
      name: "no tests in production code",
      severity: "error",
      comment: "What production code and tests share belongs into neither a test nor a folder `testing`.",
      from: { pathNot: [TESTS, "^(tests|bench)/", "^database/(schema/write-schema|generate-types)[.]ts$"] },
      to: { path: TESTS },
    },
    {
      name: "one module of @pulumi/cloudflare",
      severity: "error",
      comment: "Import a resource's own module: the index loads all of them.",
      from: { path: "^(components|stack|index[.]ts)", pathNot: TESTS },
      to: { path: "node_modules/@pulumi/cloudflare/index[.]js$" },
    },
    {
      name: "SQL only in database",
      severity: "error",
      comment:
        "SQL belongs in database/: add a named query there. Types of kysely may be imported; `openKysely` (database/connection) opens a connection.",
      from: {
        pathNot: [
          TESTS,
          "^(database|packages|tests|bench)/",
          "^(stack/provider/database|local/providers|local/start/demo-data)/",
        ],
      },
      to: { path: "node_modules/kysely/", dependencyTypesNot: ["type-only"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // Modules of npm stay in the graph, so that rules can name them.
    exclude: { path: "^(dist|.+/node_modules)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".js"],
    },
  },
};
