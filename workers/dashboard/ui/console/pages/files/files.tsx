import { useState } from "react";
import { TenantPage } from "../../tenant-page.tsx";
import { DirectoryCard } from "./directory-card.tsx";
import { FileCard } from "./file-card.tsx";

export default function Files() {
  return (
    <TenantPage
      title="Files"
      about="What the agent has stored: its notes, its work and its settings. The content of files with passwords or keys is never shown."
    >
      {({ instance }) => <Browser instanceId={instance.id} />}
    </TenantPage>
  );
}

function Browser({ instanceId }: { instanceId: string }) {
  const [directory, setDirectory] = useState("");
  const [file, setFile] = useState<string>();
  return (
    <>
      <DirectoryCard
        instanceId={instanceId}
        path={directory}
        onDirectory={(path) => {
          setDirectory(path);
          setFile(undefined);
        }}
        onFile={setFile}
      />
      {file === undefined ? null : (
        <FileCard key={file} instanceId={instanceId} path={file} onClose={() => setFile(undefined)} />
      )}
    </>
  );
}
