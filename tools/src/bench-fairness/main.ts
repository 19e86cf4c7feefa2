import { Client } from 'pg';
import { atMost, type Figure, print, readOptions, report, runBenchmark } from '../bench-harness/benchmark';
import { ChaosStack } from '../chaos/stack/chaos-stack';
import { type ExpensiveFiles, makeExpensiveFiles } from '../chaos/hostile/expensive-files';
import { HonestUser, timesSlower } from '../chaos/hostile/honest-user';
import { type Bus, BUSES } from '../chaos/contract/scenario';
import { type Latencies } from '../statistics/statistics';
import { describeRequestOutcome } from '../chaos/clients/upload-traffic';
import { ChaosClient } from '../chaos/clients/chaos-client';

/**
 * npm run bench:fairness [-- --photographs 10 --bus postgres|rabbitmq]. Measures how long one account's photographs of 12
 * megapixels take from the answer to their variants, without load and after another account has uploaded the most
 * expensive files that are accepted. Both are measured in one run on one stack, so that their ratio carries over from
 * machine to machine.
 */
const PNGS = 8;
const VIDEOS = 2;
/** Largest ratio of the median under load to the median without load. */
const MAX_RATIO = 3;

async function main(): Promise<boolean> {
  const { photographs, bus: only } = readOptions({ photographs: { default: 10, least: 1 } }, ['bus']);
  const buses = BUSES.filter((bus) => only === undefined || bus === only);
  if (buses.length === 0) throw new Error(`There is no bus ${only}`);
  print('making the expensive files');
  const files = await makeExpensiveFiles();
  const figures: Figure[] = [];
  for (const bus of buses) figures.push(await measure(bus, files, photographs));
  return report(figures);
}

async function measure(bus: Bus, files: ExpensiveFiles, photographs: number): Promise<Figure> {
  const stack = await ChaosStack.start({ bus });
  const database = new Client({ connectionString: stack.databaseUrl });
  try {
    await database.connect();
    const honest = await HonestUser.create(stack.addresses, database, 'honest');
    const hostile = new ChaosClient(stack.addresses);
    await hostile.signUp('hostile', 'a password of the chaos harness');
    await honest.live(3);
    const quiet = await honest.live(photographs);
    const uploads = [
      ...Array.from({ length: VIDEOS }, () => files.video),
      ...Array.from({ length: PNGS }, () => files.png),
    ];
    for (const file of uploads) {
      const outcome = await hostile.upload(file);
      if (outcome.status !== 201) {
        throw new Error(`The upload of ${file.name} was answered ${describeRequestOutcome(outcome)}`);
      }
    }
    const busy = await honest.live(photographs);
    const { rows } = await database.query<{ left: number }>(
      'select count(*)::int as left from media where not processed and processing_error is null',
    );
    const left = rows[0]?.left ?? 0;
    if (left === 0) throw new Error('All expensive files were processed before the measurement ended');
    const failures = [...quiet.failures, ...busy.failures];
    for (const failure of failures) print(failure);
    const show = ({ p50, p95 }: Latencies): string => `p50 ${p50} ms, p95 ${p95} ms`;
    print(
      `${bus}: without load ${show(quiet.processing)}; during ${uploads.length} expensive files ` +
        `(${left} unprocessed at the end) ${show(busy.processing)}`,
    );
    const figure = atMost(
      `processing during expensive files / without load, ${bus}`,
      timesSlower(busy.processing, quiet.processing),
      MAX_RATIO,
    );
    return { ...figure, met: figure.met && failures.length === 0 };
  } finally {
    await database.end();
    await stack.stop();
    await stack.remove();
  }
}

runBenchmark('fairness', main);
