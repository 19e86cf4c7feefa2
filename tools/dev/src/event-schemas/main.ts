import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

// npm run event-schemas [-- --check]: generates docs/events, a JSON Schema for each public event, from docs/asyncapi.yaml.

const ROOT = resolve(__dirname, '../../../..');

interface Schema {
  readonly [key: string]: unknown;
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}
interface AsyncApi {
  readonly channels: Readonly<Record<string, { address: string; title: string; tags: { name: string }[] }>>;
  readonly components: {
    readonly messages: Readonly<Record<string, { payload: Schema; examples: { payload: object }[] }>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

function main(): void {
  const { channels, components } = parse(readFileSync(join(ROOT, 'docs/asyncapi.yaml'), 'utf8')) as AsyncApi;

  /** The schema without references, and with one object instead of `allOf`. */
  const resolved = ({ $ref, allOf, ...own }: Schema): Schema => {
    if ($ref !== undefined) return resolved(components.schemas[$ref.split('/').at(-1)!]!);
    if (allOf) {
      const parts = allOf.map(resolved);
      return {
        type: 'object',
        required: parts.flatMap(({ required = [] }) => required),
        properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Record<string, Schema>,
      };
    }
    const properties = Object.entries(own.properties ?? {}).map(([name, one]) => [name, resolved(one)]);
    return {
      ...own,
      ...(own.properties && { properties: Object.fromEntries(properties) as Record<string, Schema> }),
      ...(own.items && { items: resolved(own.items) }),
    };
  };

  for (const [name, { address, title, tags }] of Object.entries(channels)) {
    if (!tags.some((tag) => tag.name === 'public')) continue;
    const { payload, examples } = components.messages[name]!;
    const { type, required, properties } = resolved(payload);
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: address,
      description: title,
      type,
      required,
      properties,
      examples: examples.map((example) => example.payload),
    };
    const file = `docs/events/${address}.v${String(properties?.['version']?.['const'])}.json`;
    const path = join(ROOT, file);
    // A line for each keyword: programs read these files.
    const lines = Object.entries(schema).map(([key, value]) => `  "${key}": ${JSON.stringify(value)}`);
    const text = `{\n${lines.join(',\n')}\n}\n`;
    if (!process.argv.includes('--check')) writeFileSync(path, text);
    else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
      process.stderr.write(`${file} differs from docs/asyncapi.yaml. Run: npm run event-schemas\n`);
      process.exitCode = 1;
    }
  }
}

main();
