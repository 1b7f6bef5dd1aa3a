import { useQuery } from "@tanstack/react-query";
import { type Instance, instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { CopyButton } from "#workers/dashboard/ui/kit/copy.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Loaded, Skeleton } from "#workers/dashboard/ui/kit/states.tsx";
import { ScrollRegion } from "../scroll-region.tsx";

export function GitNotice({ instance: { id, client, environment } }: { instance: Instance }) {
  const file = useQuery(read(instanceRoutes.getInstanceFile, { params: { instance_id: id } }));
  const of = environment === "production" ? "" : ` --environment ${environment}`;
  return (
    <Notice tone="info" title="Managed in Git">
      <Loaded query={file} loading={<Skeleton className="h-10 max-w-xl" />}>
        {({ path, text, whole }) => (
          <>
            <p>
              Change plan, AI gateway, image and token in <code className="break-all">{path}</code> and deploy the
              stack, or remove the instance there. To manage it here instead, run{" "}
              <code className="break-all">{`npm run fleet -- release ${client.slug}${of}`}</code>.
            </p>
            <details className="text-[0.8125rem]">
              <summary className="w-fit cursor-pointer font-medium">
                {whole ? "Show file" : "Show this tenant's part of the file"}
              </summary>
              <div className="mt-2 flex items-start gap-2 rounded-md border border-line bg-card p-2">
                <ScrollRegion label={path} className="min-w-0 flex-1">
                  <pre className="text-xs">{text}</pre>
                </ScrollRegion>
                <CopyButton text={text} what={path} />
              </div>
              <p className="mt-1 text-xs text-quiet">
                As stored in the database. Comments and encrypted values are only in the repository.
              </p>
            </details>
          </>
        )}
      </Loaded>
    </Notice>
  );
}
