import { type ColumnDef, type RowData, tableFeatures, useTable } from "@tanstack/react-table";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { joinClasses } from "../classes.ts";
import { Loading } from "../states.tsx";
import { itemsOf } from "./table-groups.ts";
import { type Column, cellClass, columnWidth, GroupRow, ROW_PX, TableRow } from "./table-row.tsx";
import { SortButton, sortOf } from "./table-sort.tsx";

export type { Column } from "./table-row.tsx";

const features = tableFeatures({});

export interface DataTableProps<T extends RowData> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  idOf: (row: T) => string;
  /** Address of a row; its first cell becomes the link. */
  linkOf?: (row: T) => string;
  /** Key of the group to which a row belongs. A heading precedes the rows of each. */
  groupOf?: (row: T) => string;
  /** Text of a group's heading. */
  groupHeading?: (key: string) => ReactNode;
  /** Column name, with a leading minus for descending order. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  /** Whether further rows can be loaded. */
  more?: boolean;
  loadingMore?: boolean;
  onMore?: () => void;
  empty?: ReactNode;
}

/** Rows rendered above and below the visible ones. Each costs time at every step of scrolling. */
const OVERSCAN = 6;
/** Rows below the rendered ones at which the next page is loaded. */
const MORE_FROM = 18;
/** Shorter complete tables render all rows, so that the browser's search finds them. */
const VIRTUAL_FROM = 150;

export function DataTable<T extends RowData>(props: DataTableProps<T>) {
  const { label, columns, rows, idOf, linkOf, sort, onSort, more = false, loadingMore = false, onMore, empty } = props;
  const { groupOf, groupHeading } = props;
  const named = useMemo(
    () => columns.map((column): ColumnDef<typeof features, T> => ({ id: column.header, header: column.header })),
    [columns],
  );
  const table = useTable({ features, data: rows as T[], columns: named, getRowId: idOf });
  const body = useRef<HTMLTableSectionElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => setMargin((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY), []);
  const { rows: found } = table.getRowModel();
  const all = useMemo(() => itemsOf(found, groupOf), [found, groupOf]);
  const virtual = more || all.length >= VIRTUAL_FROM;
  const virtualizer = useWindowVirtualizer({
    count: all.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: margin,
    enabled: virtual,
  });
  const seen = virtualizer.getVirtualItems();
  const shown = virtual ? seen.flatMap(({ index }) => all[index] ?? []) : all;
  const lastSeen = virtual ? (seen.at(-1)?.index ?? 0) : all.length;
  useEffect(() => {
    if (more && !loadingMore && lastSeen >= all.length - MORE_FROM) onMore?.();
  }, [more, loadingMore, lastSeen, all.length, onMore]);
  if (rows.length === 0 && !more) return empty ?? null;
  return (
    <>
      <table aria-label={label} aria-rowcount={more ? -1 : all.length + 1} className="block text-[0.8125rem]">
        <thead className="block">
          <tr className="flex h-9 border-b border-line text-xs text-quiet">
            {columns.map((column, place) => (
              <th
                key={column.header}
                scope="col"
                aria-sort={sortOf(column.sort, sort)}
                className={joinClasses(cellClass(column, place, columns.length), "text-left font-medium")}
                style={columnWidth(column)}
              >
                {column.width !== undefined ? (
                  <span className="sr-only">{column.header}</span>
                ) : column.sort === undefined || onSort === undefined ? (
                  column.header
                ) : (
                  <SortButton name={column.header} by={column.sort} sort={sort} onSort={onSort} />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          ref={body}
          className="relative block"
          style={
            virtual ? { height: virtualizer.getTotalSize(), paddingTop: (seen[0]?.index ?? 0) * ROW_PX } : undefined
          }
        >
          {shown.map(({ index, group, row }) =>
            row === undefined ? (
              <GroupRow key={`group ${group}`} index={index} columns={columns.length}>
                {groupHeading?.(group)}
              </GroupRow>
            ) : (
              <TableRow
                key={row.id}
                row={row.original}
                columns={columns}
                index={index}
                link={linkOf?.(row.original)}
                isVirtual={virtual}
              />
            ),
          )}
        </tbody>
      </table>
      {more ? (
        <div className="px-4 py-3">
          <Loading lines={2} />
        </div>
      ) : null}
    </>
  );
}
