import {
  type DocumentedOperation,
  documentedOperations,
  type OpenApiSchema,
  readOpenApi,
} from '@vitrine/testing';
import { createPerson } from './people';
import { useGateway } from './use-gateway';

/** Just below the largest body that is read. */
const BODY_BYTES = 255_000;
/** Bytes of a percent-encoded path, and of a query: both together are just below the longest head that is read. */
const QUERY_BYTES = 6_500;

interface HostileText {
  readonly start: string;
  /** Repeated to fill the space. */
  readonly repeated: string;
  readonly end: string;
}

/** Bringing marks of alternating classes into NFC takes time that is quadratic in their number. */
const MARKS: HostileText = { start: 'a', repeated: '\u0300\u0316', end: '' };

/** Texts that are slow to normalise, to count, or to match with a careless pattern. */
const HOSTILE: readonly HostileText[] = [
  MARKS,
  { start: 'a', repeated: ' ', end: '!' },
  { start: 'a@', repeated: 'a-.', end: '!' },
  { start: 'vtr_', repeated: 'a', end: '!' },
  { start: '2030-01-01T00:00:00.', repeated: '0', end: '!' },
  { start: '', repeated: '\u{1f642}', end: '\u202e' },
];

const inFull = (
  { start, repeated, end }: HostileText,
  bytes: number,
  sizeOf: (text: string) => number,
): string => start + repeated.repeat(Math.floor((bytes - sizeOf(start + end)) / sizeOf(repeated))) + end;

/**
 * Processor time, of all threads, that all requests to one operation may take together. Time on the clock would depend on
 * what else the machine does. One body of marks took four seconds.
 */
const MAX_SECONDS = 3;

describe('hostile text of the largest size', () => {
  const document = readOpenApi();
  const operations = documentedOperations(document).filter(({ host }) => host === 'api');
  const api = useGateway();

  const processorSeconds = async (): Promise<number> => {
    const metrics = await (await fetch(`${api.gateway.service.managementUrl}/metrics`)).text();
    return Number(/^process_cpu_seconds_total ([\d.e+-]+)$/m.exec(metrics)?.[1]);
  };
  const schemaOf = (schema: OpenApiSchema = {}): OpenApiSchema => {
    const name = schema.$ref?.replace('#/components/schemas/', '');
    return name === undefined ? schema : (document.components.schemas[name] ?? {});
  };
  const fieldsOf = ({ operation }: DocumentedOperation): string[] =>
    Object.keys(schemaOf(operation.requestBody?.content['application/json']?.schema).properties ?? {});
  const parametersOf = ({ operation }: DocumentedOperation): string[] =>
    (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);

  // Promise [security]: Hostile texts cost no more processor time than others.
  it.each(operations.map((one) => [one.operation.operationId, one] as const))(
    'costs no more processor time than other text: %s',
    async (_, documented) => {
      const { method, path, operation } = documented;
      const { session: token } = await createPerson(api.database, {
        role: operation['x-role'] ?? 'user',
        guest: operation['x-guest'] === 'alone',
      });
      const filled = path.replace(/\{(\w+)\}/g, 'aaaaaaa');
      const fields = ['other', ...fieldsOf(documented)];
      const ask = (target: string, body?: object): Promise<unknown> =>
        api.gateway.ask(method, target, { token, ...(method !== 'GET' && { body }) });
      const before = await processorSeconds();
      for (const text of HOSTILE) {
        const encoded = encodeURIComponent(
          inFull(text, QUERY_BYTES, (one) => encodeURIComponent(one).length),
        );
        const share = encodeURIComponent(
          inFull(text, QUERY_BYTES / 12, (one) => encodeURIComponent(one).length),
        );
        const query = ['key', ...parametersOf(documented)].map((name) => `${name}=${share}`).join('&');
        await ask(`${path.replace(/\{(\w+)\}/, encoded).replace(/\{(\w+)\}/g, 'aaaaaaa')}?${query}`);
        const part = inFull(text, BODY_BYTES / fields.length - 30, Buffer.byteLength);
        await ask(filled, Object.fromEntries(fields.map((name) => [name, part])));
      }
      const marks = inFull(MARKS, BODY_BYTES, Buffer.byteLength);
      if (method !== 'GET') for (const name of fields) await ask(filled, { [name]: marks });
      for (const name of parametersOf(documented)) {
        await ask(
          `${filled}?${name}=${encodeURIComponent(inFull(MARKS, QUERY_BYTES / 3, Buffer.byteLength))}`,
        );
      }
      const spellings = Array.from(
        { length: 2500 },
        (_, index) => inFull(MARKS, 96, Buffer.byteLength) + index,
      );
      for (const name of fields) await ask(filled, { [name]: spellings });
      await ask(filled, { tags: [marks], scopes: [marks], media_order: [marks], media_ids: [marks] });
      expect((await processorSeconds()) - before).toBeLessThan(MAX_SECONDS);
    },
  );

  it('uses no more CPU time in headers', async () => {
    const before = await processorSeconds();
    for (const value of ['Bearer ' + ' '.repeat(14_000) + '\t!', 'x'.repeat(14_000), '"'.repeat(14_000)]) {
      for (const name of [
        'Authorization',
        'Idempotency-Key',
        'Content-Type',
        'X-Forwarded-For',
        'X-Request-Id',
      ]) {
        const { status } = await api.gateway.ask('POST', '/auth/login', {
          headers: { [name]: value },
          raw: '{}',
        });
        expect([name, status]).toEqual([name, expect.any(Number)]);
        expect(status).toBeLessThan(500);
      }
    }
    expect((await processorSeconds()) - before).toBeLessThan(MAX_SECONDS);
  });
});
