/** Meanings of the fields of model calls and spending. A key ends with the field, after the objects or operation that have it. */
export const modelCallTexts: Readonly<Record<string, string>> = {
  cap_micros:
    "What the client may spend on models in 30 days, in millionths of a US dollar; null: what its plan permits.",
  maximum_micros: "What the client's plan permits in 30 days, in millionths of a US dollar; null: any amount.",
  "SpendingCap.spent_micros": "Spending of the last 30 days in millionths of a US dollar, from the billing ledger.",
  "getSpending.from": "First day. Default: 29 days before `to`.",
  "getSpending.to": "Last day. Default: today.",
  "getSpending.by": "What divides the spending.",
  "getSpending.per": "Length of a period.",
  "getSpending.data": "The entries, ordered by period, then highest spending first.",
  "getSpending.data.period": "First day of the day or month.",
  "getSpending.data.name": "Model or person; null if it is unknown.",
  "getSpending.data.provider": "Provider of the model; null by person.",
  "getSpending.data.spent_micros":
    "Spending in millionths of a US dollar, without calls that the client's own provider keys pay.",
  "getSpending.data.calls": "Calls that a model answered.",
  "getSpending.data.input_tokens": "Tokens of the requests.",
  "getSpending.data.output_tokens": "Tokens of the responses.",
  "getSpending.truncated": "Whether entries with the lowest spending are omitted, because there are too many.",
};
