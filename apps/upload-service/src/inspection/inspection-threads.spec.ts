import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InspectionThreads } from './inspection-threads';

/** Answers with the question; `spin` never ends, `wait` takes a second without a processor, `throw` and `exit` end the thread. */
const PROGRAM = `
const { readFileSync } = require('node:fs');
const { parentPort } = require('node:worker_threads');
parentPort.on('message', (question) => {
  if (question === 'spin') for (;;);
  if (question === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  if (question === 'throw') throw new Error('thrown');
  if (question === 'exit') process.exit(3);
  parentPort.postMessage(question);
});
parentPort.postMessage(parseInt(readFileSync('/proc/thread-self/stat', 'latin1'), 10));
`;

describe('InspectionThreads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-threads-'));
  const program = join(folder, 'program.cjs');
  let threads: InspectionThreads<string>;

  const start = (timeLimit: number): void => {
    threads = new InspectionThreads<string>({ program, threads: 2, timeLimit });
    threads.start();
  };

  beforeAll(() => writeFileSync(program, PROGRAM));
  afterEach(() => threads.stop());
  afterAll(() => rmSync(folder, { recursive: true }));

  // Promise [security]: No caller can occupy all threads that inspect files.
  it('answers one caller while all files of another caller never end', async () => {
    // So long that the test exceeds its own limit if a caller has to wait for it.
    start(600_000);
    for (let i = 0; i < 20; i++) void threads.ask('hostile', 'spin');
    for (let i = 0; i < 5; i++) expect(await threads.ask('honest', `${i}`)).toEqual({ answer: `${i}` });
  });

  it('ends a thread that takes too long, and replaces it', async () => {
    start(2000);
    const [overran, other] = await Promise.all([threads.ask('a', 'spin'), threads.ask('b', 'quick')]);
    expect([overran, other]).toEqual([{ failure: 'overran' }, { answer: 'quick' }]);
    expect(await threads.ask('a', 'again')).toEqual({ answer: 'again' });
  });

  it('does not count the time in which other work has the processor', async () => {
    start(400);
    expect(await threads.ask('a', 'wait')).toEqual({ answer: 'wait' });
  });

  it.each(['throw', 'exit'])('replaces a thread that a file has ended: %s', async (question) => {
    start(60_000);
    expect(await threads.ask('a', question)).toMatchObject({ failure: 'died' });
    const answers = await Promise.all([threads.ask('a', '1'), threads.ask('b', '2')]);
    expect(answers).toEqual([{ answer: '1' }, { answer: '2' }]);
  });
});
