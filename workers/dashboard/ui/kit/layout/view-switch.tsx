import { Link } from "@tanstack/react-router";

interface ViewSwitchProps {
  label: string;
  to: string;
  views: readonly { name: string; search: Readonly<Record<string, unknown>>; current: boolean }[];
}

export const ViewSwitch = ({ label, to, views }: ViewSwitchProps) => (
  <nav aria-label={label} className="flex rounded-md border border-line bg-raised p-0.5">
    {views.map(({ name, search, current }) => (
      <Link
        key={name}
        to={to}
        search={(before: object) => ({ ...before, ...search })}
        replace
        resetScroll={false}
        // Without it, every view whose address is a part of the current one would be marked.
        activeOptions={{ exact: true }}
        aria-current={current ? "true" : undefined}
        className="rounded-sm px-2.5 py-1 text-[0.8125rem] font-medium text-quiet no-underline hover:text-text aria-[current]:bg-accent-soft aria-[current]:text-accent-strong"
      >
        {name}
      </Link>
    ))}
  </nav>
);
