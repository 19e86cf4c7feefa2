import type { JSX } from 'preact';
import { Words } from './prose';
import { type fieldsOf, limitsOf, TypeOf } from './schema-labels';

interface FieldListProps {
  readonly fields: ReturnType<typeof fieldsOf>;
  /** `request`: required fields are marked. `answer`: fields that may be absent are marked. */
  readonly of: 'request' | 'answer';
}

/** A table of fields: names, types, limits and descriptions. */
export function FieldList({ fields, of }: FieldListProps): JSX.Element {
  return (
    <dl class="fields">
      {fields.map(({ name, schema, required, description }) => {
        const limits = limitsOf(schema);
        return (
          <div>
            <dt>
              <code>{name}</code>{' '}
              <span class="kind">
                <TypeOf schema={schema} />
              </span>
              {of === 'request' && required && <span class="required"> required</span>}
              {of === 'answer' && !required && <span class="quiet"> may be absent</span>}
            </dt>
            <dd>
              {description !== undefined && <Words text={description} />}
              {schema.enum && (
                <span class="choices">
                  {schema.enum.map((value) => (
                    <code>{String(value)}</code>
                  ))}
                </span>
              )}
              {limits !== '' && <span class="limits">{limits}</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
