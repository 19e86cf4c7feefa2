import { isTest, read, trackedFiles } from './tracked-files';

/** PostgreSQL's function, and the statement where a text or a migration begins with it. */
const NOTIFIES = /\bpg_notify\(|(?:^|['"`;])\s*notify\s+\w+/im;

describe('NOTIFY', () => {
  it('is sent only by Signal, in transactions without other work, because these commit one after the other', () => {
    const sources = trackedFiles().filter(
      (path) => /^(?:apps|libs|tools)\/.*\.(?:[cm]?ts|[cm]?js|sql)$/.test(path) && !isTest(path),
    );
    expect(sources.length).toBeGreaterThan(500);
    expect(sources.filter((path) => NOTIFIES.test(read(path)))).toEqual([
      'libs/outbox/src/session/signal.ts',
    ]);
  });
});
