import { useState } from "react";
import { instanceDataRoutes } from "#workers/contracts/api/instances/instance-data.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Refused } from "#workers/dashboard/ui/api/faults.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { TextArea } from "#workers/dashboard/ui/kit/form/field.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";
import { FILES_TAG, readText, type TextFile } from "./files.ts";
import { TextDiff } from "./text-diff.tsx";

interface FileEditorProps {
  instanceId: string;
  path: string;
  file: TextFile;
  onDone: () => void;
}

/** Edits a text, shows the difference, and saves it unless the file was changed meanwhile. */
export function FileEditor({ instanceId, path, file, onDone }: FileEditorProps) {
  const [base, setBase] = useState(file);
  const [text, setText] = useState(file.text);
  const [reviews, setReviews] = useState(false);
  /** The file as somebody else changed it. */
  const [other, setOther] = useState<TextFile>();
  const save = useChange(instanceDataRoutes.saveFile, {
    also: [FILES_TAG],
    success: () => ({ title: "File saved", about: "The agent starts again." }),
    onDone,
    onFailed: (error) => {
      if (!(error instanceof Refused) || error.code !== "conflict") return;
      void readText(instanceId, path).then(
        (present) => (present.hash === base.hash ? undefined : setOther(present)),
        () => undefined,
      );
    },
  });
  const goOn = (present: TextFile, next: string) => {
    setBase(present);
    setText(next);
    setOther(undefined);
    setReviews(false);
    save.reset();
  };
  if (other !== undefined)
    return (
      <div className="flex flex-col gap-3">
        <Notice tone="bad" title="The file was changed meanwhile">
          The agent or another person changed it after you opened it. Nothing was saved, and your text is kept here.
        </Notice>
        <h3 className="font-medium">What they changed</h3>
        <TextDiff label="What they changed" before={base.text} after={other.text} />
        <h3 className="font-medium">How your text differs from theirs</h3>
        <TextDiff label="How your text differs from theirs" before={other.text} after={text} />
        <footer className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => goOn(other, other.text)}>Edit their text</Button>
          <Button variant="primary" onClick={() => goOn(other, text)}>
            Keep my text
          </Button>
        </footer>
      </div>
    );
  if (reviews)
    return (
      <div className="flex flex-col gap-3">
        <TextDiff label="Your change" before={base.text} after={text} />
        <p className="text-quiet">
          The agent is stopped while the file is saved, and starts again. Users are disconnected for some seconds.
        </p>
        <Fault error={save.error} />
        <footer className="flex justify-end gap-2">
          <Button onClick={() => setReviews(false)} disabled={save.isPending}>
            Back
          </Button>
          <Button
            variant="primary"
            busy={save.isPending}
            onClick={() => save.mutate({ params: { instance_id: instanceId }, body: { path, text, hash: base.hash } })}
          >
            Save and restart
          </Button>
        </footer>
      </div>
    );
  return (
    <div className="flex flex-col gap-3">
      <TextArea
        label="Text"
        rows={18}
        spellCheck={false}
        className="font-mono text-xs"
        value={text}
        onChange={setText}
      />
      <footer className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button variant="primary" disabled={text === base.text} onClick={() => setReviews(true)}>
          Review change
        </Button>
      </footer>
    </div>
  );
}
