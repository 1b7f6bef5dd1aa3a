import type { ErrorComponentProps } from "@tanstack/react-router";
import { ButtonLink } from "../kit/button.tsx";
import { Page } from "../kit/layout/page.tsx";
import { Empty, Failed } from "../kit/states.tsx";
import { SessionWatch } from "./session-watch.tsx";
import { explainLoadError } from "./start/chunk-errors.ts";

export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty title="No page has this address" action={<ButtonLink to="/">Go to overview</ButtonLink>}>
        The page was removed, or the address is incomplete.
      </Empty>
    </Page>
  );
}

/** Retries by a reload, because neither a missing file nor the session is requested again otherwise. */
export function Broken({ error }: ErrorComponentProps) {
  return (
    <main>
      <Page title="Failed to show this page">
        <Failed error={explainLoadError(error)} onRetry={() => location.reload()} />
      </Page>
      <SessionWatch />
    </main>
  );
}
