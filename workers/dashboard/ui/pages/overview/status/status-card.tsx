import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";

export interface StatusCardProps<T> {
  title: string;
  to: string;
  more: string;
  query: UseQueryResult<T, Error>;
  children: (data: T) => ReactNode;
}

export function StatusCard<T>({ title, to, more, query, children }: StatusCardProps<T>) {
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
