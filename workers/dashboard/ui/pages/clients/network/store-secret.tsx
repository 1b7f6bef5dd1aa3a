import { useState } from "react";
import { egressRoutes } from "#workers/contracts/api/tenants/egress.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { SecretField } from "#workers/dashboard/ui/kit/form/secret-field.tsx";

const FIELDS = [
  ["name", "Name", "A secret with the same name is replaced."],
  ["host", "Host", "Such as api.example.com, without *."],
  ["header", "Header", "It replaces the agent's own."],
  ["prefix", "Prefix", "Before the value, such as Bearer and a space."],
  ["value", "Value", "It is not shown again."],
] as const;
const EMPTY = { name: "", host: "", header: "authorization", prefix: "Bearer ", value: "" };

/** The form does not store the value as a draft. */
export default function StoreSecret({ instanceId, onClose }: { instanceId: string; onClose: () => void }) {
  const [values, setValues] = useState(EMPTY);
  const store = useChange(egressRoutes.createEgressSecret, {
    success: ({ name }) => `Secret ${name} stored`,
    onDone: onClose,
  });
  const faults = fieldFaults(store.error);
  return (
    <FormDialog
      onClose={onClose}
      title="Store secret of a host"
      about="The platform stores it encrypted, and adds it to HTTPS requests to the host."
      action="Store secret"
      change={store}
      ready={values.name !== "" && values.host !== "" && values.value !== ""}
      onSubmit={() => store.mutate({ params: { instance_id: instanceId }, body: values })}
    >
      {FIELDS.map(([name, label, about]) => {
        const Field = name === "value" ? SecretField : TextField;
        return (
          <Field
            key={name}
            label={label}
            about={about}
            value={values[name]}
            onChange={(value) => setValues({ ...values, [name]: value })}
            fault={faults[name] === undefined ? undefined : `${label} ${faults[name]}.`}
            spellCheck={false}
            required={name !== "prefix"}
          />
        );
      })}
    </FormDialog>
  );
}
