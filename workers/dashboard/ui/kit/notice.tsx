import { CircleAlert, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { joinClasses } from "./classes.ts";

type NoticeTone = "info" | "busy" | "bad";

const TONES: Readonly<Record<NoticeTone, readonly [colours: string, icon: LucideIcon]>> = {
  info: ["border-info bg-info-soft", Info],
  busy: ["border-busy bg-busy-soft", TriangleAlert],
  bad: ["border-bad bg-bad-soft", CircleAlert],
};
const ICONS: Readonly<Record<NoticeTone, string>> = { info: "text-info", busy: "text-busy", bad: "text-bad" };

interface NoticeProps {
  tone: NoticeTone;
  title?: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function Notice({ tone, title, actions, children }: NoticeProps) {
  const [colours, Icon] = TONES[tone];
  return (
    <div
      role="note"
      className={joinClasses("flex flex-wrap gap-x-3 gap-y-2 rounded-lg border-l-4 px-3.5 py-2.5", colours)}
    >
      <Icon aria-hidden="true" className={joinClasses("mt-0.5 size-4 shrink-0", ICONS[tone])} />
      <div className="flex min-w-0 flex-1 flex-col gap-1 break-words text-soft">
        {title === undefined ? null : <p className="font-medium text-text">{title}</p>}
        {children}
      </div>
      {actions}
    </div>
  );
}
