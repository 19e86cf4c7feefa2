import { type DocumentedOperation, documentedOperations, readOpenApi } from '@vitrine/testing';
import fc from 'fast-check';
import { TABLE } from './authorisation.table';
import { type Given, THINGS } from './authorisation.things';
import type { Answer } from './gateway';
import { hostileBodies, hostileQueries, hostileSegment } from './hostile';
import { createPerson, type Person } from './people';
import { useGateway } from './use-gateway';

/** For each operation. Every run of the tests sends other requests; `FUZZ_RUNS` sends more of them. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 20);

const HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id'];

describe('the API, with random requests', () => {
  const document = readOpenApi();
  const operations = documentedOperations(document).filter(({ host }) => host === 'api');
  const api = useGateway();

  const cases = operations.map((documented) => [documented.operation.operationId, documented] as const);
  // Promise [requests]: Malformed and random requests get documented answers and never 500.
  it.each(cases)('gives documented answers and never 500: %s', async (operationId, documented) => {
    const { method, path, operation } = documented;
    const role = operation['x-role'] ?? 'user';
    // A successful request removes the item or the session.
    const consumes = method === 'DELETE' || operation['x-session-only'];
    const [row] = TABLE[operationId] ?? [];
    if (!row) throw new Error(`${operationId} has no row in authorisation.table.ts`);
    let owner: Person;
    let given: Given;
    const prepare = async (): Promise<void> => {
      owner = await createPerson(api.database, { role, guest: operation['x-guest'] === 'alone' });
      given = await THINGS[row.on]({ gateway: api.gateway, database: api.database, owner });
    };
    await prepare();
    const good = goodBody(documented, typeof row.body === 'function' ? row.body(given!) : row.body);

    await fc.assert(
      fc.asyncProperty(
        hostileBodies(documented, document, good),
        hostileQueries(documented),
        fc.option(hostileSegment, { freq: 2 }),
        async (body, query, segment) => {
          // Most code handles existing items, so only every third path has segments that name nothing.
          const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segment ?? String(given[name]));
          const answer = await api.gateway.ask(method, `${filled}${query === '' ? '' : `?${query}`}`, {
            token: owner.session,
            ...(method !== 'GET' && { raw: body }),
          });
          judge(answer);
          if (answer.status < 300 && consumes) await prepare();
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('logs no errors', () => {
    const errors = api.gateway.service
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":"error"'));
    expect(errors).toEqual([]);
  });
});

/** Checks what the shared client has not already compared with the document. */
function judge({ status, headers, body }: Answer): void {
  expect(status).toBeLessThan(500);
  if (status >= 400) expect(body).toMatchObject({ message: expect.any(String) });
  for (const name of HEADERS) expect([name, headers.get(name)]).toEqual([name, expect.any(String)]);
}

const goodBody = ({ operation }: DocumentedOperation, body: object | undefined): object =>
  body ?? (operation.requestBody?.content['application/json']?.example as object | undefined) ?? {};
