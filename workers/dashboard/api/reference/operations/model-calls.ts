import type { ModelCall } from "#workers/contracts/api/model-call-log.ts";
import { modelCallRoutes, type SpendingCap } from "#workers/contracts/api/model-calls.ts";
import { IDS, onePage } from "./examples.ts";
import { section } from "./section.ts";

const DOLLAR = 1_000_000;
const cap: SpendingCap = {
  client_id: IDS.client,
  cap_micros: 80 * DOLLAR,
  maximum_micros: 200 * DOLLAR,
  spent_micros: 41.3 * DOLLAR,
  version: 3,
};

const call: ModelCall = {
  id: "01JC9Z6T3V5Q8W2X4Y7A0B1C2D",
  at: "2026-11-02T09:30:00.125Z",
  duration_ms: 1_840,
  provider: "openai",
  model: "gpt-5-mini",
  person: "ada@acme.example",
  status_code: 200,
  success: true,
  cached: false,
  input_tokens: 2_840,
  output_tokens: 190,
  cost_micros: 1_090,
  own_key: false,
  findings: { action: "flagged", in: ["request"], profiles: ["d8c1b0a9-e7f6-4d5c-8b4a-392817263544"] },
};

const params = { client_id: IDS.client };

export const modelCallSection = section(
  modelCallRoutes,
  "Model calls",
  "What a tenant spends on models. Amounts are integers in millionths of a US dollar (`*_micros`); days are UTC.",
  {
    getSpending: {
      description:
        "Returns the spending of a client on models by model or person, at most 92 days; `from` and `to` are included. Figures are about two minutes behind, and estimates where Cloudflare samples; invoices follow the ledger in Billing. The person is what the gateway or a program of the tenant states in a call (`person` of its metadata, or `user` of its body). Scheduled jobs, channels and gateways that state nobody have `name` null.",
      params,
      query: { from: "2026-11-01", to: "2026-11-30", by: "model", per: "month" },
      answer: {
        from: "2026-11-01",
        to: "2026-11-30",
        data: [
          {
            period: "2026-11-01",
            name: "gpt-5-mini",
            provider: "openai",
            spent_micros: 2_066_667,
            calls: 318,
            input_tokens: 904_112,
            output_tokens: 61_230,
          },
        ],
        truncated: false,
      },
    },
    getSpendingCap: {
      description:
        "Returns what a client may spend on models in 30 days, what its plan permits, and what it spent. The spending of the current day is up to an hour behind.",
      params,
      answer: cap,
    },
    setSpendingCap: {
      description:
        "Sets what a client may spend on models in 30 days: from 0, which refuses every call, up to what its plan permits; null for what the plan permits. A job sends the cap to the tenant within seconds. From then on its Worker refuses calls with status 429 while the spending reaches the cap, except with the client's own provider keys. Spending is counted a minute or two after a call, so that calls of these minutes may exceed the cap. The AI gateway enforces the plan's limit in any case.",
      params,
      body: { cap_micros: 80 * DOLLAR },
      answer: cap,
    },
    listModelCalls: {
      description:
        "Returns the calls of a client in the log of its present AI gateway, newest first, with the findings of the filter of personal data. Prompts and responses are never returned. A page may have fewer entries than `limit`, also none, before the last one. Of an AI gateway that several tenants share, only the client's own calls are returned. Calls that the tenant's Worker refused, such as above the cap, are not in the log.",
      params,
      query: { limit: 50, outcome: "flagged" },
      answer: onePage(call),
    },
  },
);
