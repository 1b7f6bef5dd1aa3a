import { curlCommand } from "./curl.ts";
import { rolesOf, statusOf, templateOf } from "./document.ts";
import { type ErrorOfOperation, errorsOf } from "./errors.ts";
import { Fields } from "./fields.tsx";
import { Inline } from "./inline.tsx";
import type { Operation } from "./operations/section.ts";
import type { JsonSchema } from "./schema-fields.ts";

interface Media {
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>;
  readonly description?: string;
}
/** An operation of the document. */
export interface DocumentedOperation {
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: Media;
  readonly responses: Readonly<Record<string, Media>>;
}

/** @param props.origin of the API, for the command */
export function OperationView(props: { operation: Operation; documented: DocumentedOperation; origin: string }) {
  const { operation, documented, origin } = props;
  const { id, route, description, answer } = operation;
  const status = statusOf(route);
  const [own, general] = ownAndGeneral(errorsOf(operation));
  return (
    <article id={id}>
      <h3>
        <a href={`#${id}`}>{route.summary}</a>
      </h3>
      <p class="address">
        <span class={`method ${route.method}`}>{route.method.toUpperCase()}</span> <code>{templateOf(route.path)}</code>{" "}
        <code class="quiet">{id}</code>
      </p>
      <div class="sides">
        <div>
          <Roles roles={rolesOf(route)} />
          <p>
            <Inline text={description} />
          </p>
          <Parameters documented={documented} />
          <Body title="Request body" media={documented.requestBody} isInput />
          <Body title={`Response ${status}`} media={documented.responses[String(status)]} />
          <Errors own={own} general={general} />
        </div>
        <div class="examples">
          <h4>Request</h4>
          <pre tabindex={0}>{curlCommand(operation, origin)}</pre>
          <h4>Response {status}</h4>
          {answer === undefined ? (
            <p class="quiet">
              {route.produces === undefined ? "No body." : `A body of the type ${route.produces.join(" or ")}.`}
            </p>
          ) : (
            <pre tabindex={0}>{JSON.stringify(answer, null, 2)}</pre>
          )}
        </div>
      </div>
    </article>
  );
}

function Roles({ roles }: { roles: readonly string[] }) {
  if (roles.length === 0) return <p class="quiet">Needs no login.</p>;
  return (
    <p class="roles">
      <span class="quiet">{roles.length === 1 ? "Role" : "Roles"}</span>
      {roles.map((role) => (
        <span class="role">{role}</span>
      ))}
    </p>
  );
}

const PLACES = { path: "Path", query: "Query", header: "Headers" } as const;

function Parameters({ documented }: { documented: DocumentedOperation }) {
  const { parameters = [] } = documented;
  return (
    <>
      {Object.entries(PLACES).map(([place, title]) => {
        const listed = parameters.filter((parameter) => parameter.in === place);
        if (listed.length === 0) return null;
        const properties = Object.fromEntries(
          listed.map(({ name, schema, description }) => [
            name,
            description === undefined ? schema : { ...schema, description },
          ]),
        );
        const required = listed.filter((parameter) => parameter.required).map(({ name }) => name);
        return (
          <>
            <h4>{title}</h4>
            <Fields schema={{ properties, required }} isInput />
          </>
        );
      })}
    </>
  );
}

function Body({ title, media, isInput = false }: { title: string; media: Media | undefined; isInput?: boolean }) {
  const [type, content] = Object.entries(media?.content ?? {})[0] ?? [];
  if (content?.schema === undefined || media?.content === undefined) return null;
  return (
    <>
      <h4>{title}</h4>
      {type === "application/json" ? (
        <Fields schema={content.schema} isInput={isInput} />
      ) : (
        <p>
          {media.description} {Object.keys(media.content).length === 1 ? "Type" : "Types"}:{" "}
          {Object.keys(media.content).join(", ")}.
        </p>
      )}
    </>
  );
}

function ownAndGeneral(errors: readonly ErrorOfOperation[]) {
  return [errors.filter(({ isOwn }) => isOwn), errors.filter(({ isOwn }) => !isOwn)] as const;
}

function Errors({ own, general }: { own: readonly ErrorOfOperation[]; general: readonly ErrorOfOperation[] }) {
  return (
    <>
      <h4>Errors</h4>
      <dl class="fields">
        {own.map(({ status, code, cause, remedy }) => (
          <div>
            <dt>
              {status} <code>{code}</code>
            </dt>
            <dd>
              <Inline text={`${cause} ${remedy}`} />
            </dd>
          </div>
        ))}
      </dl>
      <p class="quiet">
        {own.length === 0 ? "" : "Also: "}
        {general.map(({ code, status }, index) => (
          <>
            {index === 0 ? "" : ", "}
            <a href={`#error-${code}`}>
              {status} <code>{code}</code>
            </a>
          </>
        ))}
        .
      </p>
    </>
  );
}
