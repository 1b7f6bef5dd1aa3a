import { useQuery } from "@tanstack/react-query";
import { Pencil, X } from "lucide-react";
import { useState } from "react";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { formatBytes } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { ScrollRegion } from "#workers/dashboard/ui/kit/layout/scroll-region.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { FileEditor } from "./file-editor.tsx";
import { fileOf } from "./files.ts";

interface FileCardProps {
  instanceId: string;
  path: string;
  onClose: () => void;
}

export function FileCard({ instanceId, path, onClose }: FileCardProps) {
  const file = useQuery(fileOf(instanceId, path));
  const [edits, setEdits] = useState(false);
  return (
    <Card
      title={path}
      about={file.data === undefined ? undefined : formatBytes(file.data.bytes)}
      actions={
        <>
          {file.data === undefined || file.data.redacted || edits ? null : (
            <Button small onClick={() => setEdits(true)}>
              <Pencil aria-hidden="true" /> Edit
            </Button>
          )}
          <Button small icon variant="ghost" aria-label="Close file" onClick={onClose}>
            <X aria-hidden="true" />
          </Button>
        </>
      }
    >
      <Loaded query={file} loading={<Loading />}>
        {(found) =>
          edits ? (
            <FileEditor
              instanceId={instanceId}
              path={path}
              file={found}
              onDone={() => {
                setEdits(false);
                void file.refetch();
              }}
            />
          ) : (
            <>
              {found.redacted ? (
                <Notice tone="info" title="Secrets are hidden">
                  The file has passwords or keys, so that it cannot be edited here.
                </Notice>
              ) : null}
              <ScrollRegion label="Content of the file" className="max-h-[32rem] rounded-md bg-sunken">
                <pre className="p-3 text-xs leading-5 break-words whitespace-pre-wrap">{found.text}</pre>
              </ScrollRegion>
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
