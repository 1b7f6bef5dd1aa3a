import { errorCodes } from "#domain/errors/codes.ts";
import { Layout } from "../../page/layout.tsx";
import { openApiDocument, templateOf } from "./document.ts";
import { errorsOf } from "./errors.ts";
import { Fields } from "./fields.tsx";
import { Inline } from "./inline.tsx";
import { type Chapter, introduction, SUMMARY } from "./introduction.ts";
import { type DocumentedOperation, OperationView } from "./operation.tsx";
import type { Section } from "./operations/section.ts";
import { sections } from "./operations/sections.ts";
import type { JsonSchema } from "./schema-fields.ts";

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** @param props.nonce of the style sheet in the content security policy. @param props.origin of the API */
export function ReferencePage({ nonce, caller, origin }: { nonce: string; caller: string; origin: string }) {
  const { paths, components } = openApiDocument() as unknown as Document;
  const schemas = Object.entries(components.schemas).toSorted(([a], [b]) => a.localeCompare(b));
  return (
    <Layout title="API reference · Tenantry" nonce={nonce} caller={caller}>
      <div>
        <h1>API reference</h1>
        <p>
          {SUMMARY} For programs: <a href="/openapi.json">openapi.json</a>, OpenAPI 3.1.
        </p>
      </div>
      <Contents />
      <div>
        {introduction.map((chapter) => (
          <Introduction chapter={chapter} />
        ))}
        {sections.map((section) => (
          <section id={anchorOf(section.title)}>
            <h2>{section.title}</h2>
            <p>
              <Inline text={section.description} />
            </p>
            {section.operations.map((operation) => {
              const documented = paths[templateOf(operation.route.path)]?.[operation.route.method];
              return documented && <OperationView operation={operation} documented={documented} origin={origin} />;
            })}
          </section>
        ))}
        <section id="objects">
          <h2>Objects</h2>
          <p>Objects that several operations use, with their fields.</p>
          {schemas.map(([name, schema]) => (
            <article id={`schema-${name}`} class="object">
              <h3>
                <a href={`#schema-${name}`}>{name}</a>
              </h3>
              <Fields schema={schema} />
            </article>
          ))}
        </section>
      </div>
    </Layout>
  );
}

const anchorOf = (title: string) => title.toLowerCase().replaceAll(" ", "-");

function Contents() {
  return (
    <nav aria-label="Contents">
      <ul>
        {introduction.map(({ title }) => (
          <li>
            <a href={`#${anchorOf(title)}`}>{title}</a>
          </li>
        ))}
      </ul>
      <ul>
        {sections.map((section) => (
          <SectionContents section={section} />
        ))}
        <li>
          <a href="#objects">Objects</a>
        </li>
      </ul>
    </nav>
  );
}

function SectionContents({ section: { title, operations } }: { section: Section }) {
  return (
    <li>
      <details>
        <summary>{title}</summary>
        <ul>
          <li>
            <a href={`#${anchorOf(title)}`}>About {title.startsWith("AI ") ? title : title.toLowerCase()}</a>
          </li>
          {operations.map(({ id }) => (
            <li>
              <a href={`#${id}`}>{id}</a>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

function Introduction({ chapter: { title, paragraphs } }: { chapter: Chapter }) {
  return (
    <section id={anchorOf(title)}>
      <h2>{title}</h2>
      {paragraphs.map((text) => (
        <p>
          <Inline text={text} />
        </p>
      ))}
      {title === "Errors" ? <ErrorCodes /> : null}
    </section>
  );
}

/** The codes that operations return. */
function ErrorCodes() {
  const used = new Set(sections.flatMap(({ operations }) => operations.flatMap(errorsOf)).map(({ code }) => code));
  const codes = [...used].toSorted((a, b) => errorCodes[a].status - errorCodes[b].status || a.localeCompare(b));
  return (
    <section class="scroll" tabindex={0} aria-label="Error codes">
      <table>
        <thead>
          <tr>
            <th>Error</th>
            <th>Cause</th>
            <th>What to do</th>
          </tr>
        </thead>
        <tbody>
          {codes.map((code) => (
            <tr id={`error-${code}`}>
              <td>
                {errorCodes[code].status} <code>{code}</code>
              </td>
              <td>
                <Inline text={errorCodes[code].cause} />
              </td>
              <td>
                <Inline text={errorCodes[code].remedy} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
