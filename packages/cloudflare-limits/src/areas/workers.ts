import { type Limit, NOT_DOCUMENTED, PAGES } from "../limit.ts";
import { SCRIPT_VARIABLE_BYTES } from "../values.ts";

const page = PAGES.workers;
const source = PAGES.workersErrors;

export const workers = {
  scripts: {
    of: "Workers of an account, without those of dispatch namespaces",
    value: 500,
    otherPlans: { Free: 100 },
    page,
    // The status is not documented.
    beyond: {
      status: 400,
      code: 10037,
      text: "You have exceeded the limit of {limit} Workers on your account.",
      source,
    },
  },
  scriptSize: {
    of: "Modules of a Worker, uncompressed",
    value: 64 * 1_024 * 1_024,
    unit: "bytes",
    page,
    beyond: { status: 413, code: 10027, text: "Your Worker exceeded the size limit of {limit} bytes.", source },
  },
  scriptStartup: {
    of: "Time in which a Worker must parse and run its global scope",
    value: 1_000,
    unit: "milliseconds",
    page,
    beyond: { status: 400, code: 10021, text: "Script startup exceeded CPU time limit.", source },
  },
  scriptVariables: {
    of: "Environment variables and secrets of a Worker",
    value: 128,
    otherPlans: { Free: 64 },
    page,
    beyond: {
      status: 400,
      code: 10055,
      text: "The number of environment variables and secrets exceeds the limit of {limit}.",
      source,
    },
  },
  scriptVariable: {
    of: "Environment variable or secret",
    value: SCRIPT_VARIABLE_BYTES,
    unit: "bytes",
    page,
    beyond: {
      status: 400,
      code: 10054,
      text: "An environment variable or secret exceeds the limit of {limit} bytes.",
      source,
    },
  },
  scriptBindings: {
    of: "Bindings of a Worker (approximately)",
    value: 5_000,
    page: "https://developers.cloudflare.com/d1/platform/limits/",
    beyond: NOT_DOCUMENTED,
  },
  scriptName: {
    of: "Name of a Worker of the account",
    value: 63,
    unit: "characters",
    page: "https://developers.cloudflare.com/workers/configuration/routing/workers-dev/",
    beyond: { status: 400, code: 10016, text: "Invalid Worker name.", source },
  },
  namespacedScriptTags: {
    of: "Tags of a Worker in a dispatch namespace",
    value: 8,
    page: PAGES.platforms,
    beyond: { status: 400, code: 10021, text: "A script has at most {limit} tags." },
  },
  namespacedScripts: {
    of: "Workers of all dispatch namespaces of an account",
    value: Number.POSITIVE_INFINITY,
    page: PAGES.platforms,
    beyond: "There is no limit.",
  },
  cpuTime: {
    of: "Setting `limits.cpu_ms` of a Worker",
    value: 300_000,
    unit: "milliseconds",
    page,
    beyond: { status: 400, code: 10021, text: "limits.cpu_ms must be at most {limit}." },
  },
  cpuTimeDefault: {
    of: "CPU time of an invocation without `limits.cpu_ms`",
    value: 30_000,
    otherPlans: { Free: 10 },
    unit: "milliseconds",
    page,
    beyond: { status: 503, code: 1102, text: "Worker exceeded resource limits", source },
  },
  subrequests: {
    of: "Subrequests of an invocation without `limits.subrequests`",
    value: 10_000,
    otherPlans: { Free: 50 },
    page,
    beyond: "The subrequest throws `Too many subrequests`.",
  },
  subrequestsMost: {
    of: "Setting `limits.subrequests` of a Worker",
    value: 10_000_000,
    page,
    beyond: { status: 400, code: 10021, text: "limits.subrequests must be at most {limit}." },
  },
  simultaneousConnections: {
    of: "Simultaneous outgoing connections of an invocation",
    value: 6,
    page,
    beyond: "Further connections wait.",
  },
  workerMemory: {
    of: "Memory of a Worker",
    value: 128 * 1_024 * 1_024,
    unit: "bytes",
    page,
    beyond: { status: 503, code: 1102, text: "Worker exceeded resource limits", source },
  },
  alarmDuration: {
    of: "Duration of a cron trigger, an alarm or a queue's batch",
    value: 900,
    unit: "seconds",
    page,
    beyond: "The invocation is canceled.",
  },
  cronTriggers: {
    of: "Cron triggers of an account",
    value: 250,
    otherPlans: { Free: 5 },
    page,
    beyond: {
      status: 400,
      code: 10072,
      text: "This account has reached the limit of {limit} cron triggers per account.",
      source: "https://github.com/cloudflare/workers-sdk/issues/15194",
    },
  },
  assetFiles: {
    of: "Static files of a version of a Worker",
    value: 100_000,
    otherPlans: { Free: 20_000 },
    page,
    beyond: {
      status: 400,
      code: 10304,
      text: "Invalid manifest: manifest contains {count} files which exceeds the limit of {limit}.",
    },
  },
  assetFile: {
    of: "Static file",
    value: 25 * 1_024 * 1_024,
    unit: "bytes",
    page,
    beyond: {
      status: 400,
      code: 10304,
      text: "Invalid manifest: a file has {count} bytes, which exceeds the limit of {limit}.",
    },
  },
  assetRoutingRules: {
    of: "Rules of `run_worker_first`",
    value: 100,
    page: PAGES.assetsRouting,
    beyond: "wrangler and the API refuse the rules.",
  },
} as const satisfies Record<string, Limit>;
