import { modelCallRoutes } from "#workers/contracts/api/model-calls.ts";
import { IDS } from "./examples.ts";
import { section } from "./section.ts";

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
  },
);
