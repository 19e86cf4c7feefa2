import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { whoseTurnItIs } from '@vitrine/testing';
import { SCENARIOS } from '../chaos/src/scenarios';

const PROGRAM = resolve(__dirname, '../chaos/dist/main.js');
/** A stack is started, broken, examined and stopped, some of them several times; a busy machine takes long for that. */
const PATIENCE_MS = 1_800_000;
/** A run that hangs is ended before its test, so that it doesn't disturb the tests after it. */
const LONGEST_MS = PATIENCE_MS - 30_000;

interface Result {
  readonly kept: boolean;
  readonly breaches: readonly string[];
  readonly figures: readonly (readonly [string, string | number])[];
}

/** A small run of each scenario. What depends on the speed of the machine gets limits that no small run reaches. */
const RUNS: Readonly<Record<string, string>> = {
  storm: 'uploads=3 kills=1',
  broker: 'seconds=3 alarmSeconds=3',
  postgres: 'restarts=1 recoverySeconds=600',
  standby: 'seconds=15 writeSeconds=60 recoverySeconds=600',
  storage: 'seconds=3 slowMs=200',
  duplicates: 'uploads=2 good=5 poison=1',
  retention: 'pictures=2 kills=1',
  'equal-files': 'kills=1',
  'slow-clients':
    'slowUploaders=3 abortedUploads=3 slowReaders=2 measuredSeconds=2 p95Times=1000 memoryMebibytes=1000',
  overload:
    'quietSeconds=1 capacitySeconds=1 overloadSeconds=2 acceptedP99Times=1000 memoryMebibytes=1000 recoverySeconds=1',
  hostile: 'photographs=1 readTimes=1000 uploadTimes=1000 processingTimes=1000',
  migrations: 'users=100 readerSeconds=1 maxWaitMs=60000',
  rolling: 'rounds=1 slowSeconds=1',
  faults: 'seconds=1 faultsEach=1 recoverySeconds=600',
  soak: 'minutes=0.2 sampleSeconds=1',
};

/** The clients share the processors with the service: on a busy machine they can't cause an overload, which is a breach. */
const NEEDS_AN_IDLE_MACHINE: readonly string[] = ['overload'];

/** Runs a scenario, on the bus on PostgreSQL if it can; resolves with its result. */
async function run(name: string, settings: string): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-chaos-results-'));
  const { buses = ['rabbitmq'], settings: defaults } = SCENARIOS.find((scenario) => scenario.name === name)!;
  const patience =
    'quietSeconds' in defaults && !settings.includes('quietSeconds') ? ['quietSeconds=600'] : [];
  const set = [...settings.split(' '), ...patience].flatMap((each) => ['--set', each]);
  try {
    await promisify(execFile)(
      process.execPath,
      [PROGRAM, name, ...set, '--bus', buses[0]!, '--results', folder],
      { timeout: LONGEST_MS },
    ).catch((error: { code?: unknown }) => {
      // 1 is a promise that was not kept; the result says which.
      if (error.code !== 1) throw error;
    });
    const { results } = JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')) as {
      results: readonly [Result];
    };
    return results[0];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('the scenarios', () => {
  it('promise what docs/reliability.md promises', async () => {
    const page = await readFile(resolve(__dirname, '../../docs/reliability.md'), 'utf8');
    const promises = [...page.matchAll(/^## ([a-z-]+)\n\n\*\*Promise\.\*\* ([^]*?)\n\n/gm)].map(
      ([, name, text = '']) => [name, text.replaceAll(/\s+/g, ' ').replaceAll('`', '')],
    );
    expect(Object.fromEntries(promises)).toEqual(
      Object.fromEntries(SCENARIOS.map(({ name, promise }) => [name, promise])),
    );
  });

  it('are all run in turn', () => {
    expect(Object.keys(RUNS)).toEqual(SCENARIOS.map(({ name }) => name));
  });
});

describe('npm run chaos', () => {
  it.each(whoseTurnItIs(Object.entries(RUNS)))(
    'runs a small %s, reports the promise as kept and writes the figures',
    async (name, settings) => {
      const { kept, breaches, figures } = await run(name, settings);
      if (NEEDS_AN_IDLE_MACHINE.includes(name)) {
        expect(breaches.join()).not.toContain('The scenario itself failed');
      } else {
        expect({ kept, breaches }).toEqual({ kept: true, breaches: [] });
      }
      expect(figures.length).toBeGreaterThan(0);
    },
    PATIENCE_MS,
  );
});
