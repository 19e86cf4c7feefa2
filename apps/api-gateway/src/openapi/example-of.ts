import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

type Schemas = Readonly<Record<string, SchemaObject | ReferenceObject>>;

/** Examples of texts by format. */
const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00.000Z',
  email: 'ada@example.org',
  uri: 'https://example.org/',
};

/** Examples by name of a field, used if neither the schema nor the format has one and the type fits. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  access_key: 'q8ZtR2mVx0bYc5LdNw7KsJ3hFgP6aT1e',
  alt_text: 'A harbour at dusk, with fishing boats.',
  bio: 'Takes pictures of harbours.',
  content: 'What a light!',
  current_page: 1,
  current_password: 'correct horse battery',
  description: 'Seen from the old pier.',
  details: 'It is the same picture as in every other post.',
  duration: null,
  filename: 'aB3dE5f',
  from: 1,
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  height: 1080,
  last_page: 5,
  login: 'ada',
  message: 'Done.',
  name: 'harbour',
  parent_id: null,
  password: 'correct horse battery',
  post_id: '1',
  prev: null,
  processing_error: null,
  processing_progress: null,
  reason: 'It advertises watches.',
  size: 482_133,
  slug: 'aB3dE5f',
  tag: 'harbour',
  target: 'aB3dE5f',
  thumbhash: '3OcRJYB4d3h/iIeHeEh3eIhw+j2w',
  title: 'Evening at the harbour',
  to: 10,
  total: 42,
  username: 'ada',
  width: 1920,
};

/** Makes an example that satisfies a schema, from the examples, defaults, enums and formats in it. */
export function exampleOf(schema: SchemaObject | ReferenceObject, schemas: Schemas, name = ''): unknown {
  if ('$ref' in schema) return exampleOf(resolve(schema, schemas), schemas, name);
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (name in BY_NAME && isOfType(BY_NAME[name], schema)) return BY_NAME[name];
  const [inner] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (inner) return exampleOf(inner, schemas, name);
  switch (typeOf(schema)) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, property]) => [
          key,
          exampleOf(property, schemas, key),
        ]),
      );
    case 'array':
      return schema.items ? [exampleOf(schema.items, schemas, name.replace(/s$/, ''))] : [];
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return false;
    case 'string':
      return textOf(schema);
    default:
      return null;
  }
}

function textOf({ format = '', minLength = 0, maxLength = Infinity }: SchemaObject): string {
  const text = BY_FORMAT[format] ?? 'text';
  return text.padEnd(minLength, '.').slice(0, maxLength);
}

function isOfType(value: unknown, { type = [] }: SchemaObject): boolean {
  const types = [type].flat();
  if (value === null) return types.includes('null');
  return types.includes(typeof value) || (typeof value === 'number' && types.includes('integer'));
}

/** In OpenAPI 3.1 a nullable type is a list that contains `null`. */
const typeOf = ({ type }: SchemaObject): string | undefined =>
  Array.isArray(type) ? type.find((one) => one !== 'null') : type;

function resolve({ $ref }: ReferenceObject, schemas: Schemas): SchemaObject | ReferenceObject {
  const schema = schemas[$ref.replace('#/components/schemas/', '')];
  if (!schema) throw new Error(`Nothing is at ${$ref}`);
  return schema;
}
