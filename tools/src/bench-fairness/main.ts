import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { ChaosStack } from '../chaos/chaos-stack';
import { type ExpensiveFiles, makeExpensiveFiles } from '../chaos/hostile/expensive-files';
import { HonestUser, timesSlower } from '../chaos/hostile/honest-user';
import { type Bus, BUSES } from '../chaos/scenario';
import { describeOutcome } from '../chaos/upload-traffic';
import { VitrineClient } from '../chaos/vitrine-client';

/**
 * npm run bench:fairness [-- --bus postgres|rabbitmq]. Measures how long one account's photographs of 12 megapixels take
 * from the answer to their variants, without load and after another account has uploaded the most expensive files that
 * are accepted. Both are measured in one run on one stack, so that their ratio carries over from machine to machine.
 */
const PHOTOGRAPHS = 10;
const SVGS = 30;
const PNGS = 8;
const VIDEOS = 2;
/** Largest ratio of the median under load to the median without load. */
const TARGET = 3;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { bus: { type: 'string' } } });
  const buses = BUSES.filter((bus) => values.bus === undefined || bus === values.bus);
  if (buses.length === 0) throw new Error(`There is no bus ${values.bus}`);
  print('making the expensive files');
  const files = await makeExpensiveFiles();
  for (const bus of buses) {
    if ((await measure(bus, files)) > TARGET) process.exitCode = 1;
  }
}

async function measure(bus: Bus, files: ExpensiveFiles): Promise<number> {
  const stack = await ChaosStack.start({ bus });
  const database = new Client({ connectionString: stack.databaseUrl });
  try {
    await database.connect();
    const honest = await HonestUser.create(stack.addresses, database, 'honest');
    const hostile = new VitrineClient(stack.addresses);
    await hostile.signUp('hostile', 'a password of the chaos harness');
    await honest.live(3);
    const quiet = await honest.live(PHOTOGRAPHS);
    const uploads = [
      ...Array.from({ length: VIDEOS }, () => files.video),
      ...Array.from({ length: PNGS }, () => files.png),
      ...Array.from({ length: SVGS }, () => files.svg),
    ];
    for (const file of uploads) {
      const outcome = await hostile.upload(file);
      if (outcome.status !== 201) {
        throw new Error(`The upload of ${file.name} was answered ${describeOutcome(outcome)}`);
      }
    }
    const busy = await honest.live(PHOTOGRAPHS);
    const { rows } = await database.query<{ left: number }>(
      'select count(*)::int as left from media where not processed and processing_error is null',
    );
    const left = rows[0]?.left ?? 0;
    if (left === 0) throw new Error('The expensive files were through before the measurement ended');
    const times = timesSlower(busy.processing, quiet.processing);
    print(
      `${bus.padEnd(9)} quiet p50 ${quiet.processing.p50} ms, p95 ${quiet.processing.p95} ms; beside ${uploads.length} expensive ` +
        `files (${left} left) p50 ${busy.processing.p50} ms, p95 ${busy.processing.p95} ms: ` +
        `${times.toFixed(2)} times   target at most ${TARGET}   ${times <= TARGET ? 'met' : 'MISSED'}`,
    );
    for (const failure of [...quiet.failures, ...busy.failures]) print(failure);
    return busy.failures.length + quiet.failures.length > 0 ? Infinity : times;
  } finally {
    await database.end();
    await stack.stop();
    await stack.remove();
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 1;
});
