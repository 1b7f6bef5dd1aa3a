import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { CopyButton } from "#workers/dashboard/ui/kit/copy.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";

export function GitBanner({ client: { managed_by, declared_in, slug } }: { client: Client }) {
  if (managed_by !== "git") return null;
  const release = `npm run fleet -- release ${slug}`;
  return (
    <Notice tone="info" title="Managed in Git">
      <p>
        Change name, plan, partner, state, canary and maintenance window in{" "}
        {declared_in === null ? "the stack's settings file" : <code className="break-all">{declared_in}</code>} and
        deploy the stack. Manage users, billing and freezes here.
      </p>
      <p className="flex flex-wrap items-center gap-1 text-[0.8125rem]">
        To manage the client here, run <code className="break-all">{release}</code>
        <CopyButton text={release} what="command" />
      </p>
    </Notice>
  );
}
