import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { joinClasses } from "../../kit/classes.ts";

export interface ShortColumn<T> {
  header: string;
  cell: (row: T) => ReactNode;
  right?: boolean;
  wide?: boolean;
}

interface ShortTableProps<T> {
  label: string;
  columns: readonly ShortColumn<T>[];
  rows: readonly T[];
  idOf: (row: T) => string;
  linkOf: (row: T) => string;
}

/** For a few rows: the kit's table is too heavy for the first page. */
export function ShortTable<T>({ label, columns, rows, idOf, linkOf }: ShortTableProps<T>) {
  const cellClass = ({ right, wide }: ShortColumn<T>, index: number) =>
    joinClasses(
      "px-3 first:pl-4 last:pr-4",
      index === 0 ? "w-full max-w-0 truncate" : "whitespace-nowrap",
      right ? "text-right tabular-nums" : "text-left",
      wide && "hidden sm:table-cell",
    );
  return (
    <table aria-label={label} className="w-full text-[0.8125rem]">
      <thead>
        <tr className="h-9 border-b border-line text-xs text-quiet">
          {columns.map((column, index) => (
            <th key={column.header} scope="col" className={joinClasses(cellClass(column, index), "font-medium")}>
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={idOf(row)} className="group relative h-11 border-b border-line last:border-b-0 hover:bg-hover">
            {columns.map((column, index) => (
              <td key={column.header} className={cellClass(column, index)}>
                {index === 0 ? (
                  <Link
                    to={linkOf(row)}
                    className="font-medium text-text no-underline after:absolute after:inset-0 group-hover:underline"
                  >
                    {column.cell(row)}
                  </Link>
                ) : (
                  column.cell(row)
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
