import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";

export function sortOf(
  by: string | undefined,
  sort: string | undefined,
): "ascending" | "descending" | "none" | undefined {
  if (by === undefined) return undefined;
  return sort === by ? "ascending" : sort === `-${by}` ? "descending" : "none";
}

interface SortButtonProps {
  name: string;
  by: string;
  sort: string | undefined;
  onSort: (sort: string) => void;
}

export function SortButton({ name, by, sort, onSort }: SortButtonProps) {
  const now = sortOf(by, sort);
  const Icon = now === "ascending" ? ArrowUp : now === "descending" ? ArrowDown : ChevronsUpDown;
  return (
    <button
      type="button"
      onClick={() => onSort(now === "ascending" ? `-${by}` : by)}
      className="flex items-center gap-1 rounded-sm hover:text-text"
    >
      {name}
      <Icon aria-hidden="true" className="size-3.5" />
    </button>
  );
}
