import { Inline } from "./inline.tsx";
import { type Field, fieldsOf, type JsonSchema, type TypePart, typeOf } from "./schema-fields.ts";

/** @param props.names schemas that the page shows */
export function Fields({ schema, isInput = false }: { schema: JsonSchema; isInput?: boolean }) {
  const fields = fieldsOf(schema);
  if (fields.length === 0) {
    return (
      <p>
        <Type parts={typeOf(schema)} />
      </p>
    );
  }
  return (
    <dl class="fields">
      {fields.map((field) => (
        <FieldRow field={field} isInput={isInput} />
      ))}
    </dl>
  );
}

export function FieldRow({ field, isInput }: { field: Field; isInput: boolean }) {
  const { name, type, required, description, rules } = field;
  const text = [description, ...rules].filter((part) => part !== undefined).join(" ");
  const presence = isInput ? (required ? "required" : "") : required ? "" : "optional";
  return (
    <div>
      <dt>
        <code>{name}</code> <Type parts={type} />
        {presence === "" ? null : <span class={`presence ${presence}`}>{presence}</span>}
      </dt>
      {text === "" ? null : (
        <dd>
          <Inline text={text} />
        </dd>
      )}
    </div>
  );
}

function Type({ parts }: { parts: readonly TypePart[] }) {
  return (
    <span class="type">
      {parts.map((part) => (typeof part === "string" ? part : <a href={`#schema-${part.schema}`}>{part.schema}</a>))}
    </span>
  );
}
