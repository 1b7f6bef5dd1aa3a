import type { RowData } from "@tanstack/react-table";
import { memo, type ReactNode } from "react";
import { joinClasses } from "../classes.ts";
import { RowLink } from "./row-link.tsx";

export interface Column<T extends RowData> {
  /** Unique in the table. */
  header: string;
  cell: (row: T) => ReactNode;
  /** Share of the width. Default: 1. */
  share?: number;
  /** Exact width in pixels, for buttons: content is not truncated, and only screen readers read the header. */
  width?: number;
  right?: boolean;
  /** Hides the column on narrower screens. */
  from?: "sm" | "md" | "lg" | "xl";
  /** Name by which the API sorts the column. Default: not sortable. */
  sort?: string;
}

export const ROW_PX = 45;
/**
 * Rows have no style attribute of their own: Chromium would keep the styles of each row's cells until its next garbage collection, and
 * compare new cells with all of them.
 */
const ROW_HEIGHT = "h-[45px]";
const FROM = { sm: "hidden sm:flex", md: "hidden md:flex", lg: "hidden lg:flex", xl: "hidden xl:flex" } as const;

/** The position replaces `:first-child`, for which the browser would restyle every row when one is added. */
export const cellClass = ({ right, from }: Pick<Column<never>, "right" | "from">, place: number, count: number) =>
  joinClasses(
    "min-w-0 items-center",
    place === 0 ? "pl-4" : "pl-3",
    place === count - 1 ? "pr-4" : "pr-3",
    right && "justify-end text-right tabular-nums",
    from === undefined ? "flex" : FROM[from],
  );
export const columnWidth = ({ share = 1, width }: Pick<Column<never>, "share" | "width">) => ({
  flex: width === undefined ? `${share} 1 0%` : `0 0 ${width}px`,
});

interface GroupRowProps {
  index: number;
  columns: number;
  children: ReactNode;
}

/** The heading of a group. As high as a row, as the virtualizer expects. */
export const GroupRow = ({ index, columns, children }: GroupRowProps) => (
  <tr aria-rowindex={index + 2} className={joinClasses("flex w-full border-b border-line bg-ground", ROW_HEIGHT)}>
    <th scope="rowgroup" colSpan={columns} className="flex min-w-0 items-center truncate px-4 text-left font-semibold">
      {children}
    </th>
  </tr>
);

interface TableRowProps<T extends RowData> {
  row: T;
  columns: readonly Column<T>[];
  index: number;
  link: string | undefined;
  /** Whether the table renders only the rows in view. */
  isVirtual: boolean;
}

function Row<T extends RowData>({ row, columns, index, link, isVirtual }: TableRowProps<T>) {
  return (
    <tr
      aria-rowindex={index + 2}
      className={joinClasses(
        "group relative flex w-full border-b border-line hover:bg-hover",
        ROW_HEIGHT,
        // The browser would restyle the last row whenever one is added.
        !isVirtual && "last:border-b-0",
      )}
    >
      {columns.map((column, place) => (
        <td key={column.header} className={cellClass(column, place, columns.length)} style={columnWidth(column)}>
          {link !== undefined && place === 0 ? (
            <RowLink
              to={link}
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

/** Memoized, so that scrolling does not render rows again. */
export const TableRow = memo(Row) as typeof Row;
