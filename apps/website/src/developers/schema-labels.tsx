import type { ComponentChildren, JSX } from 'preact';
import { nameIn, type Schema } from './open-api';

/** The type that a schema describes. Named objects are links to their description. */
export function TypeOf({ schema }: { readonly schema: Schema }): JSX.Element {
  const { $ref, allOf, anyOf, oneOf, type, items, format } = schema;
  if ($ref !== undefined) {
    const name = nameIn($ref);
    return <a href={`/developers/objects#${name}`}>{name}</a>;
  }
  const [only] = allOf ?? [];
  if (only) return <TypeOf schema={only} />;
  const choices = anyOf ?? oneOf;
  if (choices) return <>{joined(choices.map((choice) => <TypeOf schema={choice} />))}</>;
  const types = [type ?? 'any value'].flat();
  return (
    <>
      {joined(
        types.map((one) =>
          one === 'array' && items ? (
            <>
              list of <TypeOf schema={items} />
            </>
          ) : (
            (FORMATS[format ?? ''] ?? one)
          ),
        ),
      )}
    </>
  );
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'date and time (ISO 8601)',
  uri: 'URL',
  binary: 'file',
};

const joined = (parts: readonly ComponentChildren[]): ComponentChildren[] =>
  parts.flatMap((part, i) => (i === 0 ? [part] : [' or ', part]));

/** The limits of a schema in words; empty if there are none. */
export function limitsOf({
  minimum,
  maximum,
  minLength,
  maxLength,
  minItems,
  maxItems,
  ...schema
}: Schema): string {
  return [
    span(minimum, maximum, ''),
    span(minLength, maxLength, ' characters'),
    span(minItems, maxItems, ' items'),
    schema.default === undefined ? '' : `default: ${String(schema.default)}`,
  ]
    .filter((words) => words !== '')
    .join('; ');
}

/** A maximum of this size is only the range of the integer type. */
const NO_LIMIT = 2_147_483_647;

function span(least: number | undefined, most: number | undefined, unit: string): string {
  const top = most === NO_LIMIT ? undefined : most;
  if (least !== undefined && top !== undefined) return `${least} to ${top}${unit}`;
  if (top !== undefined) return `at most ${top}${unit}`;
  return least === undefined || least === 0 ? '' : `at least ${least}${unit}`;
}

interface FieldRow {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly description?: string | undefined;
}

/** The fields of an object, or parameters. */
export const fieldsOf = ({ properties = {}, required = [] }: Schema): FieldRow[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
    description: schema.description,
  }));
