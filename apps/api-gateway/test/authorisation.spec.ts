import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type DocumentedOperation,
  documentedOperations,
  OpenApiCheck,
  type ServiceProcess,
  startService,
} from '@vitrine/testing';
import { Pool } from 'pg';
import type { Expected, Row } from './authorisation.rows';
import { TABLE } from './authorisation.table';
import { type Given, THINGS } from './authorisation.things';
import { type Gateway, startGateway } from './gateway';
import { createPerson, type Person } from './people';

const SCOPES = ['read', 'upload', 'write'] as const;
const ROLES = ['other', 'owner', 'moderator', 'admin'] as const;

/** One transparent pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** A kind of caller: the token it sends, and the expected answer. */
interface Asker {
  readonly name: string;
  /** The role of the token's account; null for an anonymous caller. */
  readonly role: (typeof ROLES)[number] | null;
  /** Whether the account is a guest. */
  readonly guest?: true;
  /** The account is limited or suspended. */
  readonly restriction?: 'limited' | 'suspended';
  token(person: Person): Promise<string> | string;
  expected(expected: Expected, operation: DocumentedOperation['operation']): number;
}

/** A token of staff without the scope `moderate` has the rights of an ordinary user's token. */
const withToken = (name: string, role: 'owner' | 'moderator', scopes: readonly string[]): Asker => ({
  name,
  role,
  token: (person) => person.mintToken({ scopes }),
  expected: (expected, operation) => {
    if (operation['x-session-only'] || operation['x-guest'] === 'alone') return 403;
    const scope = operation['x-scope'];
    const as = role === 'moderator' && !scopes.includes('moderate') ? 'other' : role;
    if (scope !== undefined) return scopes.includes(scope) ? expected[as] : 403;
    return scopes.includes('read') || !isPublic(operation) ? expected[as] : expected.anonymous;
  },
});

const isPublic = ({ security }: DocumentedOperation['operation']): boolean =>
  security.some((scheme) => Object.keys(scheme).length === 0);

const asGuest = (name: string, role: 'owner' | 'other'): Asker => ({
  name,
  role,
  guest: true,
  token: ({ session }) => session,
  expected: (expected, operation) =>
    isPublic(operation) || operation['x-guest']
      ? ((role === 'owner' || operation['x-guest'] === 'alone' ? expected.guest : undefined) ??
        expected[role])
      : 403,
});

const withTicket = (name: string, guest?: true): Asker => ({
  name,
  role: 'owner',
  ...(guest && { guest }),
  token: (person) => person.mintTicket(),
  expected: (expected, operation) => {
    if (isPublic(operation)) return (guest && expected.guest) ?? expected.anonymous;
    return operation['x-ticket'] ? expected.owner : 403;
  },
});

const withSession = (role: (typeof ROLES)[number]): Asker => ({
  name: role,
  role,
  token: ({ session }) => session,
  expected: (expected) => expected[role],
});

const OWNER = withSession('owner');

const ASKERS: readonly Asker[] = [
  { name: 'anonymous', role: null, token: () => '', expected: ({ anonymous }) => anonymous },
  ...ROLES.map(withSession),
  ...(['owner', 'moderator'] as const).flatMap((role) => [
    withToken(`${role} with a token of every default scope`, role, SCOPES),
    withToken(`${role} with a token of every scope`, role, [...SCOPES, 'moderate']),
    ...SCOPES.map((lacking) =>
      withToken(
        `${role} with a token without ${lacking}`,
        role,
        SCOPES.filter((scope) => scope !== lacking),
      ),
    ),
  ]),
  asGuest('a guest who owns it', 'owner'),
  asGuest('another guest', 'other'),
  withTicket('owner with a ticket'),
  withTicket('a guest who owns it, with a ticket', true),
  ...(['owner', 'other'] as const).map((role): Asker => ({
    ...withSession(role),
    name: `${role}, limited`,
    restriction: 'limited',
    expected: (expected) => expected.limited?.[role] ?? expected[role],
  })),
  ...(['owner', 'moderator'] as const).map((role): Asker => ({
    ...withSession(role),
    name: `a suspended ${role}`,
    restriction: 'suspended',
    expected: () => 401,
  })),
  {
    name: 'owner with an expired token',
    role: 'owner',
    token: (person) => person.mintToken({ expiresAt: new Date(Date.now() - 1000) }),
    expected: () => 401,
  },
];

const openApi = OpenApiCheck.shared();

/** The value of `key`, which is made once. */
function remember<Key, Value>(known: Map<Key, Promise<Value>>, key: Key, make: () => Promise<Value>) {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

describe('access rights of each operation', () => {
  const operations = documentedOperations();
  let gateway: Gateway;
  let uploads: ServiceProcess;
  /** More than one connection, because the callers of a case are made at the same time. */
  let database: Pool;
  let folder: string;
  let clients = 0;

  beforeAll(async () => {
    gateway = await startGateway({ TRUSTED_PROXIES: '127.0.0.1,::1' });
    database = new Pool({ connectionString: gateway.database.url, max: 4 });
    await gateway.register('with_password');
    folder = await mkdtemp(join(tmpdir(), 'vitrine-authorisation-'));
    uploads = await startService('upload-service', {
      env: {
        DATABASE_URL: gateway.database.url,
        STORAGE_URL: pathToFileURL(folder).href,
        RATE_LIMIT_PUBLIC_PER_MINUTE: '100000',
        RATE_LIMIT_USER_PER_MINUTE: '100000',
      },
    });
  });
  afterAll(async () => {
    await database.end();
    await uploads.stop();
    await gateway.stop();
    await rm(folder, { recursive: true, force: true });
  });

  // Promise [access]: Every operation declares who may use it.
  it('are declared for every operation and no other', () => {
    expect(Object.keys(TABLE).sort()).toEqual(
      operations.map(({ operation }) => operation.operationId).sort(),
    );
  });

  const personOf = (role: Asker['role'], guest = false): Promise<Person> =>
    createPerson(database, {
      passwordOf: 'with_password',
      guest,
      ...((role === 'moderator' || role === 'admin') && { role }),
    });

  const restrict = ({ id }: Person, state: string) =>
    database.query(`insert into account_restrictions (user_id, state, reason) values ($1, $2, 'Spam.')`, [
      id,
      state,
    ]);

  const cases = operations.flatMap((documented) =>
    (TABLE[documented.operation.operationId] ?? []).map(
      (row) =>
        [
          `${documented.operation.operationId} on ${row.on}${row.query ? ' with its key' : ''}`,
          documented,
          row,
        ] as const,
    ),
  );
  /** Accounts and tokens for requests that change nothing, by kind of account and by asker: they serve all cases. */
  const lastingPeople = new Map<string, Promise<Person>>();
  const lastingTokens = new Map<string, Promise<string>>();

  const newCaller = async ({ role, guest, restriction }: Asker): Promise<Person> => {
    const person = await personOf(role, guest);
    if (restriction) await restrict(person, restriction);
    return person;
  };
  const lastingCaller = (asker: Asker): Promise<Person> =>
    remember(lastingPeople, [asker.role, asker.guest, asker.restriction].join(), () => newCaller(asker));

  // Promise [access]: Each operation accepts exactly its declared callers, scopes and roles.
  it.each(cases)('%s', async (_, documented, row) => {
    const expected = Object.fromEntries(
      ASKERS.map((asker) => [asker.name, asker.expected(row.expected, documented.operation)]),
    );
    const things = new Map<number, Promise<Given>>();
    const askAs = async (asker: Asker, owner: Person, token: Promise<string>) =>
      [
        asker.name,
        await ask(
          documented,
          row,
          await remember(things, owner.id, () => THINGS[row.on]({ gateway, database, owner })),
          await token,
        ),
      ] as const;

    // A request that is refused, or only reads, leaves the item and the caller as they are for the others.
    const changesNothing = ({ name }: Asker): boolean =>
      documented.method === 'GET' || expected[name]! >= 400;
    const reading = ASKERS.filter(changesNothing).map(async (asker) => {
      const person = await lastingCaller(asker);
      const token = remember(lastingTokens, asker.name, async () => asker.token(person));
      return askAs(asker, asker.role === 'owner' ? person : await lastingCaller(OWNER), token);
    });
    const statuses = await Promise.all(reading);
    for (const asker of ASKERS.filter((one) => !changesNothing(one))) {
      const person = await newCaller(asker);
      const owner = asker.role === 'owner' ? person : await personOf('owner');
      statuses.push(await askAs(asker, owner, Promise.resolve(asker.token(person))));
    }
    expect(Object.fromEntries(statuses)).toEqual(expected);
  });

  describe('after the revocation', () => {
    let owner: Person;
    let token: string;
    beforeAll(async () => {
      owner = await personOf('owner');
      token = await owner.mintToken();
      expect((await gateway.ask('GET', '/me', { token })).status).toBe(200);
      const { data } = (await gateway.ask('GET', '/tokens', { token: owner.session })).body as {
        data: { id: number }[];
      };
      const id = Math.max(...data.map((one) => one.id));
      expect((await gateway.ask('DELETE', `/tokens/${id}`, { token: owner.session })).status).toBe(200);
    });

    // Promise [access]: No operation accepts a revoked token.
    it.each(cases)('%s: refuses a revoked token', async (_, documented, row) => {
      expect(await ask(documented, row, await THINGS[row.on]({ gateway, database, owner }), token)).toBe(401);
    });
  });

  async function ask(
    { host, method, path, operation }: DocumentedOperation,
    row: Row,
    given: Given,
    token: string,
  ): Promise<number> {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (given[name] === undefined) throw new Error(`${row.on} gives no ${name} for ${path}`);
      return encodeURIComponent(String(given[name]));
    });
    if (host === 'upload') return upload(filled, token);
    const example = operation.requestBody?.content['application/json']?.example;
    const body = (typeof row.body === 'function' ? row.body(given) : row.body) ?? example;
    const query = row.query ? `?${row.query(given)}` : '';
    const answer = await gateway.ask(method, filled + query, {
      ...(token !== '' && { token }),
      ...(body !== undefined && { body }),
      // Some routes limit the requests of one client.
      headers: { 'X-Forwarded-For': `2001:db8:${(++clients).toString(16)}::1` },
    });
    return answer.status;
  }

  async function upload(path: string, token: string): Promise<number> {
    const form = new FormData();
    form.append('file', new Blob([GIF]), 'a.gif');
    const response = await fetch(`${uploads.url}/api/v1${path}`, {
      method: 'POST',
      body: form,
      headers: token === '' ? {} : { Authorization: `Bearer ${token}` },
    });
    const { status, headers } = response;
    openApi.assert({ host: 'upload', method: 'POST', path, status, headers, body: await response.json() });
    return status;
  }
});
