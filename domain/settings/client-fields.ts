/**
 * Fields of a client that are columns of its row and nothing else. Each is declared once, here. The stack settings, the dashboard's API, the
 * queries and the dashboard's form are derived from the table. A field that a stack file does not name keeps its value in the database.
 */
import * as z from "zod";
import { isTimeZone, type MaintenanceWindow } from "../rollouts/maintenance-window.ts";

type Column = boolean | number | string | null | number[];
export type ColumnTable<Value> = Readonly<Record<string, (value: Value) => Column>>;
export type RowOf<Columns extends ColumnTable<never>> = { readonly [Name in keyof Columns]: ReturnType<Columns[Name]> };

/** How the dashboard shows a field and lets users change it. */
export type FieldControl = {
  label: string;
  /** Label on the overview. Default: `label`. */
  factLabel?: string;
  help: string;
} & (
  | { kind: "checkbox"; checkedFact: string; uncheckedFact: string }
  | { kind: "text" }
  /** `switchLabel` is the label of the checkbox that turns the window on. */
  | { kind: "window"; switchLabel: string }
);

/** Values that each kind of control can change. */
interface ControlValues {
  checkbox: boolean;
  text: string;
  window: MaintenanceWindow | null;
}
type ControlFor<Value> = {
  [Kind in keyof ControlValues]: [Value] extends [ControlValues[Kind]] ? Extract<FieldControl, { kind: Kind }> : never;
}[FieldControl["kind"]];

const defineClientField = <S extends z.ZodType, Columns extends ColumnTable<z.output<S>>>(
  schema: S,
  rest: {
    /** The value of each column. */
    columns: Columns;
    /** The field's value in a row. */
    read: (row: RowOf<Columns>) => z.output<S>;
    /** What it is, for the error if a partner root changes it. Default: partner roots can change it. */
    rootOnly?: string;
    control: ControlFor<z.output<S>>;
  },
) => ({ schema, ...rest });

const maintenanceWindow = z.strictObject({
  days: z
    .array(z.int().min(1).max(7))
    .min(1, "is an empty list; name a day, or leave the window out")
    .max(7)
    .refine((days) => new Set(days).size === days.length, "names a day twice; remove one of the two")
    .describe("ISO days of the week on which it opens, 1 for Monday."),
  start: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "use a time of day as HH:MM, such as 02:30")
    .describe("Local time at which it opens, as HH:MM."),
  hours: z.int().min(1).max(24).describe("How many hours it is open."),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, "use the name of a time zone, such as Europe/Berlin")
    .describe("Time zone of the local time, such as Europe/Berlin."),
} satisfies Record<keyof MaintenanceWindow, z.ZodType>);

export const CLIENT_FIELDS = {
  canary: defineClientField(
    z
      .boolean()
      .describe(
        "Whether rollouts reach its tenant before all others. Default: as it is in the database, false for a new client.",
      ),
    {
      columns: { is_canary: (canary) => canary },
      read: ({ is_canary }) => is_canary,
      rootOnly: "which tenants a rollout reaches first",
      control: {
        kind: "checkbox",
        label: "Canary",
        help: "Rollouts reach this tenant before all others.",
        factLabel: "Rollouts",
        checkedFact: "canary: before all others",
        uncheckedFact: "with all others",
      },
    },
  ),
  maintenanceWindow: defineClientField(
    maintenanceWindow
      .nullable()
      .describe(
        "When changes that are not urgent may interrupt its tenant; null: at any time. Default: as it is in the database, null for a new client.",
      ),
    {
      columns: {
        maintenance_days: (window) => window?.days ?? null,
        maintenance_start: (window) => window?.start ?? null,
        maintenance_hours: (window) => window?.hours ?? null,
        maintenance_zone: (window) => window?.timeZone ?? null,
      },
      read({ maintenance_days: days, maintenance_start: start, maintenance_hours: hours, maintenance_zone: timeZone }) {
        if (days === null || start === null || hours === null || timeZone === null) return null;
        // PostgreSQL writes a time with seconds.
        return { days, start: start.slice(0, "HH:MM".length), hours, timeZone };
      },
      control: {
        kind: "window",
        label: "Maintenance",
        help: "Updates and other changes that are not urgent wait for it. Without a window they happen at any time.",
        switchLabel: "Only within a window",
      },
    },
  ),
} as const;
