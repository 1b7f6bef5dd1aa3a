export type Operator = "eq" | "neq" | "contains" | "lt" | "gt" | "lte" | "gte";
export type Value = string | number | boolean | null;

/** A filter of the vendor. */
export interface LogFilter {
  key: FilterKey;
  operator: Operator;
  /** One of them has to match. */
  value: readonly Value[];
}

const EXPRESSIONS = {
  id: "id",
  created_at: "created_at",
  request_content_type: "request_content_type",
  response_content_type: "response_content_type",
  success: "success",
  cached: "cached",
  provider: "provider",
  model: "model",
  cost: "cost",
  tokens: "(tokens_in + tokens_out)",
  tokens_in: "tokens_in",
  tokens_out: "tokens_out",
  duration: "duration",
  dlp_action: "json_extract(dlp, '$.action')",
  // The vendor also matches key and value independently.
  "metadata.key": "key",
  "metadata.value": "cast(value as text)",
} as const;
export type FilterKey = keyof typeof EXPRESSIONS;
export const filterKeys = Object.keys(EXPRESSIONS) as [FilterKey, ...FilterKey[]];

const OPERATORS: Readonly<Record<Operator, string>> = {
  eq: "is",
  neq: "is not",
  contains: "like",
  lt: "<",
  gt: ">",
  lte: "<=",
  gte: ">=",
};

interface Condition {
  sql: string;
  parameters: (string | number | null)[];
}

export function conditionOf({ key, operator, value }: LogFilter): Condition {
  const ofMetadata = key.startsWith("metadata.");
  const comparison = `${EXPRESSIONS[key]} ${OPERATORS[operator]} ?`;
  // `neq` must differ from every value.
  const all = value.map(() => comparison).join(operator === "neq" ? " and " : " or ") || "false";
  return {
    sql: ofMetadata ? `exists (select 1 from json_each(metadata) where ${all})` : `(${all})`,
    parameters: value.map((given) => {
      if (operator === "contains") return `%${given}%`;
      // SQLite has booleans of JSON as numbers.
      const scalar = typeof given === "boolean" ? Number(given) : given;
      return key === "metadata.value" && scalar !== null ? String(scalar) : scalar;
    }),
  };
}
