import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { CopyButton } from "#workers/dashboard/ui/kit/copy.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";

/** Says of a client that Git declares where it is changed. */
export function GitBanner({ client: { managed_by, declared_in, slug } }: { client: Client }) {
  if (managed_by !== "git") return null;
  const release = `npm run fleet -- release ${slug}`;
  return (
    <Notice tone="info" title="Declared in Git">
      <p>
        Name, plan, partner, state, canary mark and maintenance window are changed in{" "}
        {declared_in === null ? "its stack's settings file" : <code className="break-all">{declared_in}</code>} and
        deployed from there. Users, billing and freezing are here.
      </p>
      <p className="flex flex-wrap items-center gap-1 text-[0.8125rem]">
        To manage it here: <code className="break-all">{release}</code>
        <CopyButton text={release} what="the command" />
      </p>
    </Notice>
  );
}
