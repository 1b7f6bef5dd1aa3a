import type { ReactNode } from "react";
import { useViewer } from "../api/session.ts";
import { ButtonLink } from "./button.tsx";
import { Page } from "./layout/page.tsx";
import { Empty } from "./states.tsx";

/** A page that is platform roots' alone, and is not there for others. @param props.children not rendered for them */
export function RootsOnly({ title, children }: { title: string; children: () => ReactNode }) {
  const { isRoot } = useViewer();
  if (isRoot) return children();
  return (
    <Page title={title}>
      <Empty
        title="This is for platform roots alone"
        action={<ButtonLink to="/operations/jobs">Go to the jobs of your clients</ButtonLink>}
      >
        Whoever runs the platform sees to it; ask one of them.
      </Empty>
    </Page>
  );
}
