import { Page } from "#workers/dashboard/ui/kit/layout/page.tsx";
import { OwnTokens } from "./own-tokens.tsx";

export default function ServiceTokens() {
  return (
    <Page title="Service tokens">
      <OwnTokens />
    </Page>
  );
}
