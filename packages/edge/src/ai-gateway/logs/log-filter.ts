/** What of a gateway's log is asked for, in the terms of the vendor's filters, as conditions of SQL. */

export type Operator = "eq" | "neq" | "contains" | "lt" | "gt" | "lte" | "gte";
export type Value = string | number | boolean | null;

export interface LogFilter {
  key: FilterKey;
  operator: Operator;
  /** Any of which may fit. */
  value: readonly Value[];
}

const TEXT = "text";
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
  // A key and a value are looked for apart from each other, as at the vendor.
  "metadata.key": "key",
  "metadata.value": `cast(value as ${TEXT})`,
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

export interface Condition {
  sql: string;
  parameters: (string | number | null)[];
}

export function conditionOf({ key, operator, value }: LogFilter): Condition {
  const ofMetadata = key.startsWith("metadata.");
  const one = `${EXPRESSIONS[key]} ${OPERATORS[operator]} ?`;
  // What is none of several differs from every one of them.
  const all = value.map(() => one).join(operator === "neq" ? " and " : " or ") || "false";
  return {
    sql: ofMetadata ? `exists (select 1 from json_each(metadata) where ${all})` : `(${all})`,
    parameters: value.map((given) => {
      if (operator === "contains") return `%${given}%`;
      if (key === "metadata.value") return given === null ? null : String(metadataText(given));
      return typeof given === "boolean" ? Number(given) : given;
    }),
  };
}

/** SQLite's JSON has truth values as numbers. */
function metadataText(value: string | number | boolean): string | number {
  return typeof value === "boolean" ? Number(value) : value;
}
