import { type ServiceProcess, startService } from '@vitrine/testing';
import { Client } from 'pg';
import { alternate } from '../bench-harness/alternate';
import { atMost, print, readOptions, report, runBenchmark, times } from '../bench-harness/benchmark';
import { HttpProbe } from '../bench-harness/http-probe';
import { openScratchDatabases } from '../bench-seed/scratch-databases';
import { percentile } from '../statistics/statistics';

/** The number of entries that the larger log is compared with. */
const SMALL = 1000;
const MAX_RATIO = 1.5;
const WARM_UP = 20;
const PASSWORD = 'a lamp under seven hills';
/** Seconds between two entries. */
const PACE = 20;

interface Site {
  readonly entries: number;
  readonly service: ServiceProcess;
  readonly probe: HttpProbe;
}

/** The pages to measure. Staff of the same share, and subjects with ten entries, exist in logs of any size. */
const pages = (): readonly (readonly [what: string, query: (entries: number) => string])[] => [
  ['first page', () => ''],
  ['page 20 (of 50)', () => 'page=20'],
  ['one person, a fifth of the log', () => 'actor=busy'],
  ['one person, 10 entries', () => 'actor=rare'],
  ['command line', () => 'operator=1'],
  ['one action', () => 'action=user.end_sessions'],
  ['one action of one person', () => 'action=user.end_sessions&actor=busy'],
  ['one subject, 10 entries', () => 'subject=Subject_7'],
  ['until the middle of the log', (entries) => `to=${ago((entries / 2) * PACE)}`],
];

const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();

/**
 * npm run bench:audit [-- --entries 1000000 --rounds 200 --server URL]. Two built api-gateways on one PostgreSQL, one
 * with a thousand entries in the audit log and one with a million. Their requests alternate, and their 95th
 * percentiles are compared.
 */
async function main(): Promise<boolean> {
  const { entries, rounds, server } = readOptions(
    { entries: { default: 1_000_000, least: SMALL }, rounds: { default: 200, least: 20 } },
    ['server'],
  );
  const databases = await openScratchDatabases(server, print);
  const sites: Site[] = [];
  try {
    for (const size of [SMALL, entries]) {
      const url = await databases.filled(`vitrine_audit_${size}`, (database) => fill(database, size));
      sites.push(await open(url, size));
    }
    const subjects = pages();
    const measurements = subjects.flatMap(([, query]) =>
      sites.map(
        ({ probe, entries: size }) =>
          async () =>
            (await probe.get(`/admin/audit-log?${query(size)}`)).ms,
      ),
    );
    const results = await alternate(measurements, { rounds, warmUp: WARM_UP });
    print(`p95 with ${entries.toLocaleString('en')} entries / p95 with ${SMALL}, ${rounds} rounds`);
    return report(
      subjects.map(([what], index) => {
        const [of, to] = [p95(results[2 * index]), p95(results[2 * index + 1])];
        return atMost(what, to / of, MAX_RATIO, times, ` (${to.toFixed(2)} / ${of.toFixed(2)} ms)`);
      }),
    );
  } finally {
    for (const { probe, service } of sites) {
      probe.close();
      await service.stop();
    }
    await databases.stop();
  }
}

const p95 = (values: readonly number[] = []): number => percentile(values, 0.95);

/** Fills the log: a fifth of the entries by `busy`, ten by `rare`, a seventh by the operator, the rest by others. */
async function fill(url: string, entries: number): Promise<void> {
  print(`Filling the log with ${entries} entries …`);
  await withClient(url, async (client) => {
    await client.query(
      `insert into users (username, role)
       select name, 'moderator' from unnest(array['busy', 'rare', 'one', 'two', 'three', 'four']) as name`,
    );
    await client.query(
      `with staff as (select array_agg(id order by id) as ids from users)
       insert into audit_log (actor_id, action, subject_type, subject_id, subject_name, detail, created_at)
       select case when n % ($1::int / 10) = 0 then ids[2] when n % 5 = 1 then ids[1] when n % 7 = 0 then null
                   else ids[3 + n % 4] end,
              (array['user.end_sessions', 'user.change_role', 'user.change_quota', 'user.delete'])[1 + n / 5 % 4],
              'user', n, 'subject_' || n % ($1::int / 10), '{"from": "user", "to": "moderator"}',
              now() - ($1::int - n) * interval '${PACE} seconds'
       from generate_series(1, $1::int) n, staff`,
      [entries],
    );
    await client.query(
      `insert into audit_addresses (entry_id, actor_id, address)
       select id, actor_id, '203.0.113.7' from audit_log where actor_id is not null`,
    );
    await client.query('vacuum analyze audit_log');
    await client.query('vacuum analyze audit_addresses');
  });
}

/** A running api-gateway, and a client with the session of an admin. */
async function open(url: string, entries: number): Promise<Site> {
  const service = await startService('api-gateway', {
    env: { DATABASE_URL: url, RATE_LIMIT_USER_PER_MINUTE: '1000000' },
  });
  const username = `admin_${Date.now()}`;
  const base = `${service.url}/api/v1`;
  const stranger = new HttpProbe(base);
  const { text } = await stranger.send('POST', '/auth/register', { username, password: PASSWORD });
  stranger.close();
  await withClient(url, (client) =>
    client.query(`update users set role = 'admin' where username = $1`, [username]),
  );
  const { session } = JSON.parse(text) as { session: string };
  return { entries, service, probe: new HttpProbe(base, { Authorization: `Bearer ${session}` }) };
}

async function withClient(url: string, use: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

runBenchmark('audit', main);
