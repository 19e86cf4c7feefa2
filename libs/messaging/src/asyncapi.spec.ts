import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { events, publicEvents } from '@vitrine/contracts';
import * as ts from 'typescript';
import { parse } from 'yaml';

const ROOT = join(__dirname, '../../..');
const CONTRACTS = join(ROOT, 'libs/contracts/src/index.ts');

interface Schema {
  readonly [key: string]: unknown;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
}
interface Reference {
  readonly $ref: string;
}
interface AsyncApi {
  readonly asyncapi: string;
  readonly channels: Record<
    string,
    { address: string; tags: readonly { name: string }[]; messages: Record<string, Reference> }
  >;
  readonly operations: Record<string, { action: string; channel: Reference }>;
  readonly components: {
    messages: Record<
      string,
      {
        payload: { allOf: [Reference, { properties: Record<string, Schema> }] };
        'x-accepts'?: readonly number[];
      }
    >;
    schemas: Record<string, Schema>;
  };
}

describe('docs/asyncapi.yaml', () => {
  const document: AsyncApi = parse(readFileSync(join(ROOT, 'docs/asyncapi.yaml'), 'utf8'));
  const catalogue = Object.entries(events);

  it('is AsyncAPI 3.0, and all its references exist', () => {
    expect(document.asyncapi).toBe('3.0.0');
    for (const reference of referencesIn(document)) {
      const target = reference
        .replace(/^#\//, '')
        .split('/')
        .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
      expect([reference, target]).toEqual([reference, expect.anything()]);
    }
  });

  // Promise [webhooks]: `docs/asyncapi.yaml` has every event with its version and payload.
  it('has one channel for each event of the catalogue', () => {
    expect(
      Object.entries(document.channels).map(([name, { address, messages }]) => [name, address, messages]),
    ).toEqual(
      catalogue.map(([name, { type }]) => [
        name,
        type,
        { [name]: { $ref: `#/components/messages/${name}` } },
      ]),
    );
  });

  it('tags the public events of the catalogue', () => {
    expect(Object.entries(document.channels).map(([name, { tags }]) => [name, tags])).toEqual(
      catalogue.map(([name]) => [name, [{ name: name in publicEvents ? 'public' : 'internal' }]]),
    );
  });

  it('names the consumers of the catalogue', () => {
    expect(
      Object.entries(document.operations).map(([queue, { action, channel }]) => [
        queue,
        action,
        channel.$ref,
      ]),
    ).toEqual(
      catalogue.flatMap(([name, { type, consumers }]) =>
        consumers.map((service) => [`${service}.${type}`, 'receive', `#/channels/${name}`]),
      ),
    );
  });

  it('gives each message its type, version and payload', () => {
    for (const [name, { type, version, accepts }] of catalogue) {
      expect(document.components.messages[name]?.['x-accepts'] ?? []).toEqual(
        accepts.map((older) => older.version),
      );
      expect(document.components.messages[name]?.payload.allOf).toEqual([
        { $ref: '#/components/schemas/EventEnvelope' },
        {
          properties: {
            type: { const: type },
            version: { const: version },
            data: { $ref: `#/components/schemas/${pascal(name)}` },
          },
        },
      ]);
    }
  });

  describe('describes as the code does', () => {
    const program = ts.createProgram([CONTRACTS], { strict: true, skipLibCheck: true, noLib: false });
    const checker = program.getTypeChecker();
    const file = program.getSourceFile(CONTRACTS);
    const moduleSymbol = file && checker.getSymbolAtLocation(file);
    const exported = new Map(
      (moduleSymbol ? checker.getExportsOfModule(moduleSymbol) : []).map((symbol) => [symbol.name, symbol]),
    );
    const schemas = Object.entries(document.components.schemas);

    it.each(schemas)('%s', (name, schema) => {
      const symbol = exported.get(name);
      if (!symbol) throw new Error(`@vitrine/contracts exports no ${name}`);
      const original = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

      expect(structureOf(schema, document)).toEqual(
        schemaOf(checker.getDeclaredTypeOfSymbol(original), checker),
      );
    });

    it.each(catalogue.map(([name]) => pascal(name)))('%s, which is a payload', (name) => {
      expect(document.components.schemas).toHaveProperty(name);
    });
  });
});

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : referencesIn(value),
  );
}

/** The part of a schema that a TypeScript type can express: structure and words, no descriptions, formats or limits. */
function structureOf(schema: Schema, document: AsyncApi): Schema {
  if (schema.$ref) {
    const target = document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    return target ? structureOf(target, document) : schema;
  }
  if (schema.allOf) {
    const parts = schema.allOf.map((part) => structureOf(part, document));
    return {
      type: ['object'],
      required: parts.flatMap((part) => part['required'] as string[]).sort(),
      properties: Object.assign({}, ...parts.map((part) => part.properties)) as Record<string, Schema>,
    };
  }
  const types = (Array.isArray(schema['type']) ? schema['type'] : [schema['type']]) as unknown[];
  const type = types.map((word) => (word === 'integer' ? 'number' : word)).sort();
  if (schema.properties) {
    return {
      type,
      required: [...(schema['required'] as string[])].sort(),
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, property]) => [name, structureOf(property, document)]),
      ),
    };
  }
  if (schema.items) return { type, items: structureOf(schema.items, document) };
  if (schema['enum']) return { type, enum: [...(schema['enum'] as (string | number)[])].sort() };
  return schema['type'] === undefined ? {} : { type };
}

/** The same part of a schema, derived from a TypeScript type. */
function schemaOf(type: ts.Type, checker: ts.TypeChecker): Schema {
  if (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter)) return {};
  if (type.isStringLiteral()) return { type: ['string'], enum: [type.value] };
  if (type.flags & ts.TypeFlags.String) return { type: ['string'] };
  if (type.flags & ts.TypeFlags.Number) return { type: ['number'] };
  if (type.flags & ts.TypeFlags.BooleanLike) return { type: ['boolean'] };
  if (type.flags & ts.TypeFlags.Null) return { type: ['null'] };
  if (type.isUnion()) {
    const present = type.types.filter((part) => !(part.flags & ts.TypeFlags.Undefined));
    if (present.length === 1 && present[0]) return schemaOf(present[0], checker);
    if (present.every((part) => part.flags & ts.TypeFlags.BooleanLike)) return { type: ['boolean'] };
    if (type.types.every((part) => part.isStringLiteral())) {
      const words = type.types.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
      return { type: ['string'], enum: words.sort() };
    }
    if (type.types.every((part) => part.isNumberLiteral())) {
      const numbers = type.types.flatMap((part) => (part.isNumberLiteral() ? [part.value] : []));
      return { type: ['number'], enum: numbers.sort() };
    }
    const words = present.flatMap((part) => schemaOf(part, checker)['type'] as string[]);
    return { type: [...new Set(words)].sort() };
  }
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    if (element) return { type: ['array'], items: schemaOf(element, checker) };
  }
  const properties = checker.getPropertiesOfType(type);
  return {
    type: ['object'],
    required: properties
      .filter((property) => !(property.flags & ts.SymbolFlags.Optional))
      .map(({ name }) => name)
      .sort(),
    properties: Object.fromEntries(
      properties.map((property) => [property.name, schemaOf(checker.getTypeOfSymbol(property), checker)]),
    ),
  };
}
