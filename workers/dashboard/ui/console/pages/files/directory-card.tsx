import { useQuery } from "@tanstack/react-query";
import { CornerLeftUp, Download, File, FileLock2, FileX2, Folder, RotateCw } from "lucide-react";
import { instanceDataRoutes } from "#workers/contracts/api/instances/instance-data.ts";
import { addressOf } from "#workers/dashboard/ui/api/ask.ts";
import { Button, ButtonAnchor } from "#workers/dashboard/ui/kit/button.tsx";
import { formatBytes } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { type Column, DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Empty, Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { directoryOf, type Entry } from "./files.ts";

interface DirectoryCardProps {
  instanceId: string;
  path: string;
  onDirectory: (path: string) => void;
  onFile: (path: string) => void;
}

export function DirectoryCard({ instanceId, path, onDirectory, onFile }: DirectoryCardProps) {
  const entries = useQuery(directoryOf(instanceId, path));
  const below = (name: string) => (path === "" ? name : `${path}/${name}`);
  const columns: readonly Column<Entry>[] = [
    {
      header: "Name",
      cell: (entry) => (
        <Name entry={entry} onOpen={() => (entry.kind === "directory" ? onDirectory : onFile)(below(entry.name))} />
      ),
    },
    { header: "Size", right: true, from: "sm", cell: ({ kind, bytes }) => (kind === "file" ? formatBytes(bytes) : "") },
    { header: "Changed", from: "md", cell: ({ modified_at }) => <Ago at={modified_at} long /> },
    {
      header: "Actions",
      width: 80,
      right: true,
      cell: ({ name, kind, secret }) =>
        kind !== "file" || secret ? null : (
          <ButtonAnchor
            small
            icon
            variant="ghost"
            download
            href={addressOf(instanceDataRoutes.downloadFile, {
              params: { instance_id: instanceId },
              query: { path: below(name) },
            })}
            aria-label={`Download ${name}`}
          >
            <Download aria-hidden="true" />
          </ButtonAnchor>
        ),
    },
  ];
  return (
    <Card
      flush
      title={path === "" ? "All files" : path}
      actions={
        <>
          {path === "" ? null : (
            <Button small onClick={() => onDirectory(path.split("/").slice(0, -1).join("/"))}>
              <CornerLeftUp aria-hidden="true" /> Up
            </Button>
          )}
          <Button
            small
            icon
            variant="ghost"
            aria-label="Refresh files"
            busy={entries.isFetching}
            onClick={() => void entries.refetch()}
          >
            {entries.isFetching ? null : <RotateCw aria-hidden="true" />}
          </Button>
        </>
      }
    >
      <Loaded query={entries} loading={<Loading padded />}>
        {({ data, truncated }) => (
          <>
            <DataTable
              label="Files"
              columns={columns}
              rows={data}
              idOf={({ name }) => name}
              empty={<Empty title="The directory is empty" />}
            />
            {truncated ? (
              <p className="border-t border-line px-4 py-2.5 text-xs text-quiet">
                The directory has more files. Download a backup to see all of them.
              </p>
            ) : null}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Name({ entry: { name, kind, secret }, onOpen }: { entry: Entry; onOpen: () => void }) {
  const note = secret ? "content hidden" : kind === "link" ? "link" : kind === "special" ? "special file" : undefined;
  const Icon = kind === "directory" ? Folder : secret ? FileLock2 : kind === "file" ? File : FileX2;
  if (note !== undefined && kind !== "directory")
    return (
      <span className="inline-flex min-w-0 items-center gap-2 break-all">
        <Icon aria-hidden="true" className="size-4 shrink-0 text-quiet" /> {name}
        <span className="text-xs text-quiet">{note}</span>
      </span>
    );
  return (
    <button
      type="button"
      onClick={onOpen}
      className="inline-flex min-w-0 items-center gap-2 text-left break-all hover:underline"
    >
      <Icon aria-hidden="true" className="size-4 shrink-0 text-quiet" /> {name}
    </button>
  );
}
