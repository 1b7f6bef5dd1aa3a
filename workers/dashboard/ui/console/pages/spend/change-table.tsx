import { DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { type Change, changeInWords } from "./change-in-words.ts";

interface ShownChange extends Change {
  format: (quantity: number) => string;
}

interface ChangeTableProps {
  label: string;
  /** Names of the two periods. */
  before: string;
  after: string;
  changes: readonly ShownChange[];
}

export const ChangeTable = ({ label, before, after, changes }: ChangeTableProps) => (
  <DataTable
    label={label}
    columns={[
      { header: "Item", share: 1.6, cell: ({ name }) => name },
      { header: before, right: true, cell: ({ before: quantity, format }) => format(quantity) },
      { header: after, right: true, cell: ({ after: quantity, format }) => format(quantity) },
      { header: "Change", from: "sm", right: true, share: 1.3, cell: changeInWords },
    ]}
    rows={changes}
    idOf={({ name }) => name}
  />
);
