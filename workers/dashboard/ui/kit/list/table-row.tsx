import type { RowData } from "@tanstack/react-table";
import { memo, type ReactNode } from "react";
import { classes } from "../classes.ts";
import { RowLink } from "./row-link.tsx";

export interface Column<T extends RowData> {
  id: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** Of the columns' room. Default: 1. */
  share?: number;
  /** Exact width in pixels, for buttons: what is in it is not cut, and its header is read out alone. */
  width?: number;
  /** Numbers stand at the right. */
  right?: boolean;
  /** Left out where there is less room than this. Default: never. */
  from?: "sm" | "md" | "lg" | "xl";
  /** The name by which the API sorts it. Default: it does not. */
  sort?: string;
}

export const ROW_PX = 45;
const FROM = { sm: "hidden sm:flex", md: "hidden md:flex", lg: "hidden lg:flex", xl: "hidden xl:flex" } as const;

/** What stands at an edge is told by its place: by `:first-child` the browser would look at every row anew when one comes. */
export const cellClass = ({ right, from }: Pick<Column<never>, "right" | "from">, place: number, count: number) =>
  classes(
    "min-w-0 items-center",
    place === 0 ? "pl-4" : "pl-3",
    place === count - 1 ? "pr-4" : "pr-3",
    right && "justify-end text-right tabular-nums",
    from === undefined ? "flex" : FROM[from],
  );
export const room = ({ share = 1, width }: Pick<Column<never>, "share" | "width">) => ({
  flex: width === undefined ? `${share} 1 0%` : `0 0 ${width}px`,
});

export interface TableRowProps<T extends RowData> {
  row: T;
  columns: readonly Column<T>[];
  /** Among all that are read. */
  index: number;
  /** Where it leads. */
  link: string | undefined;
  /** Pixels from the body's top, of a row that is placed; undefined for one that stands in line. */
  top: number | undefined;
}

function Row<T extends RowData>({ row, columns, index, link, top }: TableRowProps<T>) {
  return (
    <tr
      aria-rowindex={index + 2}
      className={classes(
        "group flex w-full border-b border-line hover:bg-hover",
        top === undefined ? "relative last:border-b-0" : "absolute top-0 left-0",
      )}
      style={{ height: ROW_PX, ...(top !== undefined && { transform: `translateY(${top}px)` }) }}
    >
      {columns.map((column, place) => (
        <td key={column.id} className={cellClass(column, place, columns.length)} style={room(column)}>
          {link !== undefined && place === 0 ? (
            <RowLink
              to={link}
              // The whole row is the link's.
              className="min-w-0 truncate font-medium text-text no-underline after:absolute after:inset-0 group-hover:underline"
            >
              {column.cell(row)}
            </RowLink>
          ) : column.width === undefined ? (
            <div className="min-w-0 grow truncate">{column.cell(row)}</div>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

/** A row is rendered once, however far the table is scrolled. */
export const TableRow = memo(Row) as typeof Row;
