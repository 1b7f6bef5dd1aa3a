import { sections } from "./operations/sections.ts";

const operationIds = new Set(sections.flatMap(({ operations }) => operations.map(({ id }) => id)));

/** Shows a sentence with `code`, which links to an operation that it names, and **terms**. */
export function Inline({ text }: { text: string }) {
  return (
    <>
      {text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
        if (part.startsWith("**")) return <strong>{part.slice(2, -2)}</strong>;
        if (!part.startsWith("`")) return part;
        const code = part.slice(1, -1);
        return operationIds.has(code) ? <OperationLink id={code} /> : <code>{code}</code>;
      })}
    </>
  );
}

function OperationLink({ id }: { id: string }) {
  return (
    <a href={`#${id}`}>
      <code>{id}</code>
    </a>
  );
}
