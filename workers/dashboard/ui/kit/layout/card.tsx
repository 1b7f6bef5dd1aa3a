import { type ReactNode, useId } from "react";
import { joinClasses } from "../classes.ts";

interface CardProps {
  title?: ReactNode;
  about?: ReactNode;
  actions?: ReactNode;
  /** Without padding, as for a table. */
  flush?: boolean;
  className?: string;
  children: ReactNode;
}

export function Card({ title, about, actions, flush = false, className, children }: CardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={joinClasses("rounded-lg border border-line bg-card", className)}
    >
      {title === undefined ? null : (
        <header className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 pt-3.5 pb-2.5">
          <div className="min-w-0 flex-1 basis-48">
            <h2 id={id} className="text-[0.9375rem] font-semibold">
              {title}
            </h2>
            {about === undefined ? null : <p className="text-[0.8125rem] text-quiet">{about}</p>}
          </div>
          {actions === undefined ? null : <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
      )}
      <div className={flush ? "" : title === undefined ? "p-4" : "px-4 pb-4"}>{children}</div>
    </section>
  );
}

export interface FactsProps {
  facts: readonly (readonly [name: string, value: ReactNode])[];
}

export const factEntry = (name: string, value: ReactNode): FactsProps["facts"][number] => [name, value];

export const Facts = ({ facts }: FactsProps) => (
  <dl className="grid grid-cols-[minmax(7rem,max-content)_1fr] gap-x-4 gap-y-2 sm:gap-x-6">
    {facts.map(([name, value]) => (
      <div key={name} className="contents">
        <dt className="text-quiet">{name}</dt>
        <dd className="min-w-0 break-words">{value}</dd>
      </div>
    ))}
  </dl>
);
