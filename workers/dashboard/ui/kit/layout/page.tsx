import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { app } from "../../api/app.ts";

interface Crumb {
  name: string;
  to: string;
}

export interface PageProps {
  title: string;
  tabTitle?: string;
  beside?: ReactNode;
  about?: ReactNode;
  crumbs?: readonly Crumb[];
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, tabTitle = title, beside, about, crumbs = [], actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${tabTitle} · ${app.name}`;
  }, [tabTitle]);
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-4 py-5 sm:px-6 lg:px-8">
      <header className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          {crumbs.length === 0 ? null : (
            <nav aria-label="Breadcrumb">
              <ol className="flex flex-wrap items-center gap-1 text-[0.8125rem] text-quiet">
                {crumbs.map(({ name, to }) => (
                  <li key={to} className="flex items-center gap-1">
                    <Link to={to} className="text-quiet no-underline hover:text-text hover:underline">
                      {name}
                    </Link>
                    <ChevronRight aria-hidden="true" className="size-3.5" />
                  </li>
                ))}
              </ol>
            </nav>
          )}
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="text-xl font-semibold tracking-tight break-words">{title}</h1>
            {beside}
          </div>
          {about === undefined ? null : <p className="max-w-3xl text-quiet">{about}</p>}
        </div>
        {actions === undefined ? null : <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
