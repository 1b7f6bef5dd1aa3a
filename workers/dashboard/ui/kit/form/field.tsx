import { Field as Base } from "@base-ui/react/field";
import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from "react";
import { joinClasses } from "../classes.ts";
import { CONTROL } from "./control.ts";

interface Labelled {
  label: string;
  about?: ReactNode | undefined;
  fault?: string | undefined;
  optional?: boolean | undefined;
}

const Frame = ({ label, about, fault, optional = false, children }: Labelled & { children: ReactNode }) => (
  <Base.Root invalid={fault !== undefined} className="flex flex-col gap-1">
    <Base.Label className="text-[0.8125rem] font-medium">
      {label}
      {optional ? <span className="font-normal text-quiet"> (optional)</span> : null}
    </Base.Label>
    {children}
    {about === undefined ? null : <Base.Description className="text-xs text-quiet">{about}</Base.Description>}
    {fault === undefined ? null : (
      <Base.Error match role="alert" className="text-xs text-bad">
        {fault}
      </Base.Error>
    )}
  </Base.Root>
);

export type TextFieldProps = Labelled &
  Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "defaultValue" | "value" | "about"> & {
    value: string;
    onChange: (value: string) => void;
    /** After the input, in its line. */
    beside?: ReactNode;
  };

/** Without autocompletion by default: the values rarely repeat. */
export const TextField = ({
  label,
  about,
  fault,
  optional,
  value,
  onChange,
  className,
  beside,
  ...rest
}: TextFieldProps) => (
  <Frame label={label} about={about} fault={fault} optional={optional}>
    <div className="flex gap-2">
      <Base.Control
        autoComplete="off"
        {...(rest as object)}
        value={value}
        onValueChange={onChange}
        className={joinClasses(CONTROL, "w-full min-w-0 flex-1 h-8.5", className)}
      />
      {beside}
    </div>
  </Frame>
);

type TextAreaProps = Labelled &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "onChange" | "value" | "about"> & {
    value: string;
    onChange: (value: string) => void;
  };

export const TextArea = ({ label, about, fault, optional, value, onChange, className, ...rest }: TextAreaProps) => (
  <Frame label={label} about={about} fault={fault} optional={optional}>
    <Base.Control
      render={<textarea {...rest} />}
      value={value}
      onValueChange={onChange}
      className={joinClasses(CONTROL, "w-full min-h-20 py-1.5", className)}
    />
  </Frame>
);

export interface Choice<T extends string> {
  value: T;
  name: string;
  disabled?: boolean;
}

interface ChoiceGroup<T extends string> {
  group: string;
  choices: readonly Choice<T>[];
}

type SelectFieldProps<T extends string> = Labelled &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange" | "value" | "about"> & {
    value: T;
    choices: readonly (Choice<T> | ChoiceGroup<T>)[];
    onChange: (value: T) => void;
  };

export function SelectField<T extends string>({
  label,
  about,
  fault,
  optional,
  value,
  choices,
  onChange,
  className,
  ...rest
}: SelectFieldProps<T>) {
  return (
    <Frame label={label} about={about} fault={fault} optional={optional}>
      <Base.Control
        render={
          <select {...rest}>
            {choices.map((choice) =>
              "group" in choice ? (
                <optgroup key={choice.group} label={choice.group}>
                  {choice.choices.map(optionOf)}
                </optgroup>
              ) : (
                optionOf(choice)
              ),
            )}
          </select>
        }
        value={value}
        onValueChange={(chosen) => onChange(chosen as T)}
        className={joinClasses(CONTROL, "w-full h-8.5", className)}
      />
    </Frame>
  );
}

const optionOf = ({ value, name, disabled }: Choice<string>) => (
  <option key={value} value={value} disabled={disabled}>
    {name}
  </option>
);

interface CheckFieldProps {
  label: ReactNode;
  about?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

export const CheckField = ({ label, about, checked, onChange, disabled }: CheckFieldProps) => (
  <label className="flex items-start gap-2.5">
    <input
      type="checkbox"
      className="mt-0.5 size-4 shrink-0 accent-accent"
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <span className="min-w-0">
      <span className="block">{label}</span>
      {about === undefined ? null : <span className="block text-xs text-quiet">{about}</span>}
    </span>
  </label>
);
