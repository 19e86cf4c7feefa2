import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { events, publicEvents } from '@vitrine/contracts';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

const DOCS = resolve(__dirname, '../../docs');

describe('the examples and schemas of events', () => {
  const { components } = parse(readFileSync(join(DOCS, 'asyncapi.yaml'), 'utf8')) as {
    readonly components: {
      readonly messages: Readonly<
        Record<string, { readonly examples: readonly { readonly payload: unknown }[] }>
      >;
    };
  };
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema({ components }, 'asyncapi');

  // Promise [webhooks]: `docs/events` has a JSON Schema of every public event.
  it('are a file for each public event, generated from docs/asyncapi.yaml', () => {
    const main = resolve(__dirname, '../dev/dist/event-schemas/main.js');
    expect(spawnSync(process.execPath, [main, '--check'], { encoding: 'utf8' })).toMatchObject({
      stderr: '',
      status: 0,
    });
    const expected = Object.values(publicEvents).map(({ type, version }) => `${type}.v${version}.json`);
    expect(readdirSync(join(DOCS, 'events')).sort()).toEqual(expected.sort());
  });

  it.each(Object.keys(events))('agree about %s in docs/asyncapi.yaml', (name) => {
    const validate = ajv.compile({ $ref: `asyncapi#/components/messages/${name}/payload` });
    for (const { payload } of components.messages[name]!.examples) {
      expect([payload, validate(payload), validate.errors]).toEqual([payload, true, null]);
    }
  });

  it.each(Object.values(publicEvents))('agree about $type in docs/events', ({ type, version }) => {
    const schema = JSON.parse(readFileSync(join(DOCS, 'events', `${type}.v${version}.json`), 'utf8')) as {
      readonly examples: readonly Readonly<Record<string, unknown>>[];
    };
    const validate = ajv.compile(schema);
    const [example] = schema.examples;
    expect([validate(example), validate.errors]).toEqual([true, null]);
    expect(validate({ ...example, added_later: 1 })).toBe(true);
    expect(validate({ ...example, data: {} })).toBe(false);
  });
});
