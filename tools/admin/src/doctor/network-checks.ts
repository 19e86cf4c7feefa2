import { CountersConfig, probeRedis } from '@vitrine/counters';
import { DatabaseConfig } from '@vitrine/database';
import { loadConfig, PublicUrlsConfig } from '@vitrine/runtime';
import { type Check, describeFailure, type Report } from './check';
import { withDatabase } from './database-checks';

/** Sessions, tickets and idempotency keys expire by the clock. */
const SKEW_WARNING_MS = 1_000;
const SKEW_PROBLEM_MS = 30_000;
/** An HTTP date has whole seconds, and the answer takes time. */
const HTTP_DATE_SLACK_MS = 5_000;
const FETCH_MS = 5_000;

export const redisCheck: Check = {
  name: 'Redis',
  advice: 'Check that Redis runs and that REDIS_URL has its address and password.',
  async run(environment, report) {
    const { redisUrl } = loadConfig(CountersConfig, environment);
    if (redisUrl === '') {
      report.skip(
        'REDIS_URL is not set: each process counts limits in its own memory, which is sufficient for one process of each service',
      );
    } else if (await probeRedis(redisUrl)) {
      report.ok('it answers and accepts writes');
    } else {
      report.problem(
        'it does not answer or accepts no writes: each process counts limits in its own memory',
        'Check that Redis runs, and that REDIS_URL has the address and password of a primary.',
      );
    }
  },
};

export const clockCheck: Check = {
  name: 'clock',
  advice: 'Solve the problem of the check "database" first.',
  async run(environment, report) {
    const { url } = loadConfig(DatabaseConfig, environment);
    await withDatabase(url, async (client) => {
      const before = Date.now();
      const { rows } = await client.query<{ ms: number }>(
        'select extract(epoch from clock_timestamp()) * 1000 as ms',
      );
      const after = Date.now();
      judgeSkew(report, "the database's clock", Number(rows[0]?.ms) - (before + after) / 2, SKEW_WARNING_MS);
    });
  },
};

interface Address {
  readonly name: string;
  readonly url: string;
  /** A path below it that Vitrine answers. */
  readonly path: string;
  /** Whether the right process has answered: an Ingress may lead the host to another one. */
  readonly isRight: (status: number, type: string) => boolean;
}

export const publicAddressesCheck: Check = {
  name: 'addresses',
  advice: 'Check PUBLIC_API_URL, PUBLIC_UPLOAD_URL, PUBLIC_CDN_URL and PUBLIC_SITE_URL.',
  async run(environment, report) {
    const { api, upload, cdn, site } = loadConfig(PublicUrlsConfig, environment);
    const addresses: readonly Address[] = [
      {
        ...{ name: 'PUBLIC_API_URL', url: api, path: '/openapi.json' },
        isRight: (status, type) => status < 400 && isJson(type),
      },
      // It accepts only POST.
      { name: 'PUBLIC_UPLOAD_URL', url: upload, path: '', isRight: (status) => status === 405 },
      { name: 'PUBLIC_CDN_URL', url: cdn, path: '/f/none.png', isRight: (_, type) => isJson(type) },
      {
        name: 'PUBLIC_SITE_URL',
        url: site,
        path: '/',
        isRight: (status, type) => status < 400 && !isJson(type),
      },
    ];
    await Promise.all(addresses.map((address) => examineAddress(address, report)));
  },
};

const isJson = (type: string): boolean => type.startsWith('application/json');

async function examineAddress({ name, url, path, isRight }: Address, report: Report): Promise<void> {
  let answer: Response;
  try {
    // Every answer of Vitrine has the header that is checked below, whatever the status.
    answer = await fetch(url + path, { redirect: 'manual', signal: AbortSignal.timeout(FETCH_MS) });
    await answer.arrayBuffer();
  } catch (error) {
    const words = `${name} can't be reached from here: ${describeFailure(error)}`;
    // In its own container, the doctor has a different localhost than the service.
    if (isLoopback(url)) report.warn(words, 'Start Vitrine; in a separate container this is normal.');
    else report.problem(words, 'Start Vitrine, or correct the address: DNS, proxy, port.');
    return;
  }
  if (!answer.headers.has('x-request-id')) {
    report.problem(
      `${name} is answered ${answer.status} by something that is not Vitrine`,
      'Route the address, with its path, to the right process.',
    );
    return;
  }
  if (answer.status >= 500) {
    report.problem(`${name} is answered ${answer.status}`, 'Read the log of the process behind it.');
    return;
  }
  // 429: the doctor has used up its requests, and any process may say so.
  if (answer.status !== 429 && !isRight(answer.status, answer.headers.get('content-type') ?? '')) {
    report.problem(
      `${name} leads to another process of Vitrine, which answered ${answer.status}`,
      'Compare the hosts and paths of the Ingress, Gateway or proxy with the PUBLIC_ settings.',
    );
    return;
  }
  report.ok(`${name} leads to Vitrine`);
  if (url.startsWith('http://') && !isLoopback(url)) {
    report.warn(
      `${name} is http:// beyond this machine`,
      'Put TLS in front of it, and use https:// in the setting.',
    );
  }
  const skew = Date.parse(answer.headers.get('date') ?? '') - Date.now();
  if (Math.abs(skew) > HTTP_DATE_SLACK_MS)
    judgeSkew(report, `the clock behind ${name}`, skew, HTTP_DATE_SLACK_MS);
}

const isLoopback = (url: string): boolean => /^https?:\/\/(localhost|127\.|\[::1\])/.test(url);

function judgeSkew(report: Report, whose: string, skewMs: number, warnFrom: number): void {
  const apart = Math.abs(skewMs);
  const words = `${whose} and ours are ${(apart / 1000).toFixed(1)} s apart`;
  const advice = 'Synchronise the clocks of both machines with NTP.';
  if (apart > SKEW_PROBLEM_MS) report.problem(words, advice);
  else if (apart > warnFrom) report.warn(words, advice);
  else report.ok(words);
}
