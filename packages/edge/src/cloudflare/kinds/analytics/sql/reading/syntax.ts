export type IntervalUnit = "YEAR" | "MONTH" | "DAY" | "HOUR" | "MINUTE" | "SECOND";

export type BinaryOperator = "OR" | "AND" | "=" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%";

export interface Call {
  kind: "call";
  /** As written. */
  name: string;
  /** Arguments in the first of two pairs of parentheses, as in `topK(3)(blob1)`. */
  parameters: readonly Expression[];
  arguments: readonly Expression[];
  distinct: boolean;
}

export type Expression =
  | { kind: "integer"; value: bigint }
  | { kind: "double"; value: number }
  | { kind: "string"; value: string }
  | { kind: "boolean"; value: boolean }
  | { kind: "interval"; count: bigint; unit: IntervalUnit }
  | { kind: "column"; name: string }
  | Call
  | { kind: "not" | "negate"; of: Expression }
  | { kind: "binary"; operator: BinaryOperator; left: Expression; right: Expression }
  | { kind: "in"; of: Expression; list: readonly Expression[] }
  | { kind: "between"; of: Expression; from: Expression; to: Expression }
  | { kind: "like"; of: Expression; pattern: Expression; ignoresCase: boolean }
  | { kind: "extract"; unit: IntervalUnit; from: Expression };

export interface Selected {
  expression: Expression;
  alias?: string | undefined;
}

export interface Select {
  kind: "select";
  columns: "*" | readonly Selected[];
  /** A dataset's name or a subquery. */
  from?: string | Select | undefined;
  where?: Expression | undefined;
  groupBy: readonly Expression[];
  having?: Expression | undefined;
  orderBy: readonly { expression: Expression; descending: boolean }[];
  limit?: number | undefined;
  offset: number;
}

export type Format = "JSON" | "JSONEachRow" | "TabSeparated";

export interface Statement {
  query: Select | { kind: "show"; what: "TABLES" | "TIMEZONES" | "TIMEZONE" };
  format: Format;
}
