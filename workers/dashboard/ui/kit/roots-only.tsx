import type { ReactNode } from "react";
import { useViewer } from "../api/session.ts";
import { ButtonLink } from "./button.tsx";
import { Page } from "./layout/page.tsx";
import { Empty } from "./states.tsx";

/** A page for platform roots. @param props.children not rendered for other viewers */
export function RootsOnly({ title, children }: { title: string; children: () => ReactNode }) {
  const { isRoot } = useViewer();
  if (isRoot) return children();
  return (
    <Page title={title}>
      <Empty title="Requires the platform root role" action={<ButtonLink to="/operations/jobs">Go to jobs</ButtonLink>}>
        Ask a platform root for help.
      </Empty>
    </Page>
  );
}
