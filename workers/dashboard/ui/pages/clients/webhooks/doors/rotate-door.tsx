import { WEBHOOK_KINDS } from "@tenantry/webhooks/kinds";
import { useState } from "react";
import { DEFAULT_OVERLAP_SECONDS, MAX_OVERLAP_SECONDS } from "#domain/doors/door.ts";
import { type Door, doorRoutes } from "#workers/contracts/api/tenants/doors.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { CheckField, SelectField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { showToast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { secretLabel } from "./kind-texts.ts";
import { SecretInputs } from "./secret-inputs.tsx";
import { type Entered, enteredSecrets, secretFaults, secretFields } from "./secrets.ts";
import { ShownOnce } from "./shown-once.tsx";

const HOUR = 3_600;
const OVERLAPS = [
  { value: "0", name: "Not at all" },
  { value: String(HOUR), name: "1 hour" },
  { value: String(DEFAULT_OVERLAP_SECONDS), name: "24 hours" },
  { value: String(MAX_OVERLAP_SECONDS), name: "7 days" },
] as const;

interface RotateDoorProps {
  door: Door;
  what: "key" | "secrets";
  onClose: () => void;
}

export default function RotateDoor({ door, what, onClose }: RotateDoorProps) {
  const { id, kind, name, version } = door;
  const { label, generated } = WEBHOOK_KINDS[kind];
  const [overlap, setOverlap] = useState<string>(String(DEFAULT_OVERLAP_SECONDS));
  const [generates, setGenerates] = useState(generated.length > 0);
  const [entered, setEntered] = useState<Entered>({});
  const [rotated, setRotated] = useState<Answer<typeof doorRoutes.rotateDoor>>();
  const title = what === "key" ? `Rotate address of ${name}` : `Rotate secrets of ${name}`;
  const rotate = useChange(doorRoutes.rotateDoor, {
    onDone: (next) => {
      setEntered({});
      if (next.url !== null || Object.keys(next.generated).length > 0) {
        setRotated(next);
        return;
      }
      showToast({ title: `Secrets of ${name} replaced` });
      onClose();
    },
  });
  if (rotated !== undefined) {
    const shown = what === "key" ? `Address of ${name} rotated` : `Secrets of ${name} rotated`;
    return <ShownOnce title={shown} door={door} url={rotated.url} generated={rotated.generated} onClose={onClose} />;
  }
  const of = what === "key" ? "address" : "secrets";
  const formerUntil = what === "key" ? door.former_key_until : door.former_until;
  const secrets = enteredSecrets(entered);
  const isGenerating = what === "secrets" && generates;
  const expire_former_in_seconds = Number(overlap);
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      about={
        what === "key"
          ? `The webhook gets a new address, which is shown once. Enter it at ${label} before the current one expires.`
          : `The webhook gets other secrets for ${label}. Its address stays.`
      }
      action={what === "key" ? "Rotate address" : "Rotate secrets"}
      change={rotate}
      showsOnce
      ready={what === "key" || isGenerating || Object.keys(secrets).length > 0}
      onSubmit={() =>
        rotate.mutate({
          version,
          params: { id },
          body:
            what === "key"
              ? { what, expire_former_in_seconds }
              : { what, expire_former_in_seconds, ...(!isGenerating && { secrets }) },
        })
      }
    >
      {what === "secrets" && generated.length > 0 ? (
        <CheckField
          label={`Generate: ${generated.map(secretLabel).join(", ").toLowerCase()}`}
          about="Shown once. Other secrets stay as they are."
          checked={generates}
          onChange={setGenerates}
        />
      ) : null}
      {what === "secrets" && !generates ? (
        <>
          <SecretInputs
            fields={secretFields(kind)}
            entered={entered}
            onChange={setEntered}
            faults={secretFaults(rotate.error)}
            keepsEmpty
          />
          <p className="text-xs text-quiet">Empty fields stay as they are.</p>
        </>
      ) : null}
      <SelectField
        label={`Accept the current ${of} for`}
        about={overlap === "0" ? `Webhooks with the current ${of} are refused at once.` : undefined}
        value={overlap}
        onChange={setOverlap}
        choices={OVERLAPS}
      />
      {formerUntil === null ? null : (
        <p className="text-xs text-quiet">
          Webhooks with the former {of}, accepted until <Moment at={formerUntil} />, are refused at once.
        </p>
      )}
    </FormDialog>
  );
}
