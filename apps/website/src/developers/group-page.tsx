import type { JSX } from 'preact';
import { useVisit } from '../components/visit-context';
import { headingOf } from './docs-frame';
import { FieldList } from './field-list';
import type { Answer, Group, Operation, Parameter } from './open-api';
import { Prose } from './prose';
import { Code, LanguageChoice, SampleBlock } from './sample-block';
import { samplesOf } from './samples';
import { fieldsOf, TypeOf } from './schema-labels';

/** All operations of a group, each with its `operationId` as anchor. */
export function GroupPage({ group }: { readonly group: Group }): JSX.Element {
  return (
    <>
      <h1>{headingOf(group.name)}</h1>
      <p class="lead">{group.description}</p>
      <LanguageChoice />
      {group.operations.map((operation) => (
        <OperationSection operation={operation} />
      ))}
    </>
  );
}

function OperationSection({ operation }: { readonly operation: Operation }): JSX.Element {
  const { urls } = useVisit();
  const { id, method, path, summary, description, isOnUploadHost, parameters, body, answer, errors } =
    operation;
  return (
    <section class="operation" id={id} aria-labelledby={`${id}-title`}>
      <div class="operation-text">
        <h2 id={`${id}-title`}>
          <a href={`#${id}`}>{summary}</a>
        </h2>
        <p class="endpoint">
          <span class={`method is-${method}`}>{method.toUpperCase()}</span>{' '}
          <code>{isOnUploadHost ? urls.upload : path}</code>
        </p>
        <Prose text={description} />
        <ParameterList title="In the path" parameters={parameters.filter((one) => one.in === 'path')} />
        <ParameterList title="Query" parameters={parameters.filter((one) => one.in === 'query')} />
        <ParameterList title="Headers" parameters={parameters.filter((one) => one.in === 'header')} />
        {body && (
          <>
            <h3>
              Body <span class="kind">{body.type}</span>
            </h3>
            <FieldList fields={fieldsOf(body.schema)} of="request" />
          </>
        )}
        {answer && (
          <>
            <h3>
              Response <span class="kind">{answer.status}</span>
            </h3>
            <Prose text={answer.description} />
            <AnswerFields answer={answer} />
          </>
        )}
        <p class="errors small quiet">
          Errors:{' '}
          {errors.map(({ status, description: meaning }) => (
            <a href={`/developers#error-${status}`} title={meaning}>
              {status}
            </a>
          ))}
        </p>
      </div>
      <div class="operation-code">
        <SampleBlock id={id} samples={samplesOf(operation, urls)} />
        {answer?.example !== undefined && (
          <details class="answer-example">
            <summary>An answer</summary>
            <Code
              id={`${id}-answer`}
              label={`${answer.status}`}
              text={JSON.stringify(answer.example, null, 2)}
            />
          </details>
        )}
      </div>
    </section>
  );
}

function ParameterList({
  title,
  parameters,
}: {
  readonly title: string;
  readonly parameters: readonly Parameter[];
}): JSX.Element | null {
  if (parameters.length === 0) return null;
  const fields = parameters.map(({ name, schema, required = false, description }) => ({
    name,
    schema,
    required,
    description,
  }));
  return (
    <>
      <h3>{title}</h3>
      <FieldList fields={fields} of="request" />
    </>
  );
}

function AnswerFields({ answer: { schema } }: { readonly answer: Answer }): JSX.Element | null {
  if (!schema) return null;
  if (schema.$ref !== undefined) {
    return (
      <p>
        <TypeOf schema={schema} />
      </p>
    );
  }
  const fields = fieldsOf(schema);
  return fields.length > 0 ? <FieldList fields={fields} of="answer" /> : null;
}
