import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";

export interface GlanceProps<T> {
  title: string;
  /** Where all of it is. */
  to: string;
  more: string;
  query: UseQueryResult<T, Error>;
  children: (data: T) => ReactNode;
}

/** How something is just now, with the way to all of it. Its room is the same whatever is in it. */
export function Glance<T>({ title, to, more, query, children }: GlanceProps<T>) {
  return (
    <Card title={title}>
      <div className="min-h-28">
        <Loaded query={query} loading={<Loading lines={3} />}>
          {children}
        </Loaded>
      </div>
      <Link to={to} className="text-[0.8125rem] text-quiet hover:text-text">
        {more}
      </Link>
    </Card>
  );
}
