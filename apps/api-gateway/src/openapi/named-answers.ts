import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIObject, ReferenceObject, ResponseObject, SchemaObject } from '@nestjs/swagger';
import { routesOf } from './scanned-document';

type Schema = SchemaObject | ReferenceObject;

/**
 * Gives each answer that wraps a resource in `data` a separate schema, because generators otherwise
 * name the same inline schema differently for each operation. Lists of `Media` are `MediaList`, one `Media` is `MediaAnswer`.
 * Throws if two different answers would have the same name.
 */
export function nameAnswers(document: OpenAPIObject, schemas: Record<string, Schema>): void {
  for (const { operation } of routesOf(document)) {
    for (const response of Object.values(operation.responses)) {
      const content = (response as ResponseObject | undefined)?.content?.['application/json'];
      const schema = content?.schema;
      const name = schema && !('$ref' in schema) && nameOf(schema.properties?.['data']);
      if (!content || !schema || !name) continue;
      if (schemas[name] && !isDeepStrictEqual(schemas[name], schema)) {
        throw new Error(`${operation.operationId} has another schema for ${name}`);
      }
      schemas[name] = schema;
      content.schema = { $ref: `#/components/schemas/${name}` };
    }
  }
}

/** Null if `data` is not a resource and not a list of one. */
function nameOf(data: Schema | undefined): string | null {
  if (!data) return null;
  if ('$ref' in data) return `${resourceOf(data)}Answer`;
  // Posts in lists have a separate schema, which is clear from the name of the list.
  return data.items && '$ref' in data.items ? `${resourceOf(data.items).replace(/^Listed/, '')}List` : null;
}

const resourceOf = ({ $ref }: ReferenceObject): string => $ref.split('/').at(-1)!;
