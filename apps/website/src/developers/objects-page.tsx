import type { JSX } from 'preact';
import { FieldList } from './field-list';
import type { ApiReference } from './open-api';
import { Prose } from './prose';
import { fieldsOf } from './schema-labels';

/** All objects of the API by name. Requests and responses link here. */
export function ObjectsPage({ schemas }: Pick<ApiReference, 'schemas'>): JSX.Element {
  const names = Object.keys(schemas).sort((a, b) => a.localeCompare(b));
  return (
    <>
      <h1>Objects</h1>
      <p class="lead">
        The objects in requests and responses. New fields may be added; ignore fields that you don’t know.
      </p>
      <p class="object-names">
        {names.map((name) => (
          <a href={`#${name}`}>{name}</a>
        ))}
      </p>
      {names.map((name) => {
        const schema = schemas[name] ?? {};
        return (
          <section class="object" id={name} aria-labelledby={`${name}-title`}>
            <h2 id={`${name}-title`}>
              <a href={`#${name}`}>{name}</a>
            </h2>
            {schema.description !== undefined && <Prose text={schema.description} />}
            <FieldList fields={fieldsOf(schema)} of={name.endsWith('Request') ? 'request' : 'answer'} />
          </section>
        );
      })}
    </>
  );
}
