/**
 * Settings of a client that are columns of its row and nothing else. Each is declared once, here: its schema with documentation, and its
 * columns. A field that a stack file does not name is left as it is in the database.
 */
import * as z from "zod";
import { isTimeZone, type MaintenanceWindow } from "../rollouts/maintenance-window.ts";

type Column = boolean | number | string | null | number[];
type Columns = Readonly<Record<string, Column>>;

const field = <S extends z.ZodType>(schema: S, columns: (value: z.output<S>) => Columns) => ({
  schema: schema.optional(),
  columns: (value: unknown) => columns(value as z.output<S>),
});

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
  canary: field(
    z
      .boolean()
      .describe(
        "Whether rollouts reach its tenant before all others. Default: as it is in the database, false for a new client.",
      ),
    (canary) => ({ is_canary: canary }),
  ),
  maintenanceWindow: field(
    maintenanceWindow
      .nullable()
      .describe(
        "When changes that are not urgent may interrupt its tenant; null: at any time. Default: as it is in the database, null for a new client.",
      ),
    (window) => ({
      maintenance_days: window?.days ?? null,
      maintenance_start: window?.start ?? null,
      maintenance_hours: window?.hours ?? null,
      maintenance_zone: window?.timeZone ?? null,
    }),
  ),
} as const;

type Table = typeof CLIENT_FIELDS;

/** The fields' schemas, each optional. */
export const clientFieldShape = Object.fromEntries(
  Object.entries(CLIENT_FIELDS).map(([name, { schema }]) => [name, schema]),
) as { -readonly [Name in keyof Table]: Table[Name]["schema"] };

/** Values of fields; one that is undefined is left as it is in the database. */
export type ClientFields = { readonly [Name in keyof Table]?: z.output<Table[Name]["schema"]> };

/** The columns of the fields that have a value. */
export function clientColumns(fields: ClientFields): Record<string, Column> {
  const values: Readonly<Record<string, unknown>> = fields;
  const named = Object.entries(CLIENT_FIELDS).filter(([name]) => values[name] !== undefined);
  return Object.assign({}, ...named.map(([name, { columns }]) => columns(values[name])));
}
