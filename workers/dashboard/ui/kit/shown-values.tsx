import { CopyButton } from "./copy.tsx";

interface ShownValue {
  name: string;
  value: string;
}

/** Values to copy, such as secrets that are shown once. */
export const ShownValues = ({ values }: { values: readonly ShownValue[] }) => (
  <dl className="flex flex-col gap-3">
    {values.map(({ name, value }) => (
      <div key={name}>
        <dt className="text-[0.8125rem] font-medium">{name}</dt>
        <dd className="mt-1 flex items-start gap-2 rounded-md border border-line bg-card py-1 pr-1 pl-2.5">
          <code className="min-w-0 flex-1 py-1 text-[0.8125rem] break-all">{value}</code>
          <CopyButton text={value} what={name.toLowerCase()} />
        </dd>
      </div>
    ))}
  </dl>
);
