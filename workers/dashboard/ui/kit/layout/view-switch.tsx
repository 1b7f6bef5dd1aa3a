import { Link } from "@tanstack/react-router";

export interface ViewSwitchProps {
  label: string;
  /** Address of the page. */
  to: string;
  views: readonly { name: string; search: Readonly<Record<string, unknown>>; current: boolean }[];
}

/** One of a few views of a page, by its address. */
export function ViewSwitch({ label, to, views }: ViewSwitchProps) {
  return (
    <nav aria-label={label} className="flex rounded-md border border-line bg-raised p-0.5">
      {views.map(({ name, search, current }) => (
        <Link
          key={name}
          to={to}
          search={(before: object) => ({ ...before, ...search })}
          replace
          resetScroll={false}
          // The link itself says so of the address that it has exactly.
          activeOptions={{ exact: true }}
          aria-current={current ? "true" : undefined}
          className="rounded-sm px-2.5 py-1 text-[0.8125rem] font-medium text-quiet no-underline hover:text-text aria-[current]:bg-accent-soft aria-[current]:text-accent-strong"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
