import { parseArgs } from 'node:util';
import { type Bus, ChaosStack } from './chaos-stack';
import { type Findings, Inspection } from './inspection';
import { Ledger } from './ledger';
import { SampleFiles } from './sample-files';
import { type Kill, Storm } from './storm';
import { VitrineClient } from './vitrine-client';

const USAGE = 'npm run chaos [-- --seed N --uploads 300 --kills 20 --bus postgres|rabbitmq|both]';

interface ChaosOptions {
  readonly seed: number;
  readonly uploads: number;
  readonly kills: number;
  readonly buses: readonly Bus[];
}

/** Kills processes of a whole Vitrine while clients upload, and finds out whether anything was lost. */
async function main(): Promise<void> {
  let options: ChaosOptions;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`);
    process.exitCode = 2;
    return;
  }
  for (const bus of options.buses) if (!(await survives(bus, options))) process.exitCode = 1;
}

function readOptions(args: string[]): ChaosOptions {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: '1' },
      uploads: { type: 'string', default: '300' },
      kills: { type: 'string', default: '20' },
      bus: { type: 'string', default: 'both' },
    },
  });
  const buses = ({ postgres: ['postgres'], rabbitmq: ['rabbitmq'], both: ['postgres', 'rabbitmq'] } as const)[
    values.bus as Bus | 'both'
  ];
  if (!buses) throw new Error(`There is no bus ${values.bus}.`);
  return {
    seed: wholeNumber('seed', values.seed),
    uploads: wholeNumber('uploads', values.uploads),
    kills: wholeNumber('kills', values.kills),
    buses,
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number.`);
  return Number(text);
}

/** One run over one transport; true where nothing was lost. Its folder stays only where something was. */
async function survives(bus: Bus, { seed, uploads, kills }: ChaosOptions): Promise<boolean> {
  const say = (line: string): void => void process.stdout.write(`${bus}: ${line}\n`);
  say(`starting; seed ${seed}, ${uploads} uploads, ${kills} kills`);
  const stack = await ChaosStack.start(bus);
  const began = Date.now();
  let whole = false;
  try {
    const client = new VitrineClient(stack.addresses);
    await client.signUp('chaos', 'a password of the chaos harness');
    const files = await SampleFiles.create();
    if (!files.hasVideo) say('no ffmpeg on the PATH: pictures only');
    const ledger = new Ledger();
    const storm = new Storm(
      client,
      files,
      ledger,
      { seed, uploads, kills, dataFolder: stack.dataFolder },
      say,
    );
    await storm.rage();
    say(`the storm is over after ${seconds(began)} s; waiting until all is quiet`);
    const findings = await new Inspection(stack, client, ledger, say).run();
    whole = findings.losses.length === 0;
    process.stdout.write(report({ bus, seed, kills: storm.kills, ledger, findings, took: seconds(began) }));
  } finally {
    await stack.stop();
    if (whole) await stack.remove();
    else say(`the stack's log and data are in ${stack.folder}`);
  }
  return whole;
}

const seconds = (since: number): number => Math.round((Date.now() - since) / 1000);

interface Run {
  readonly bus: Bus;
  readonly seed: number;
  readonly kills: readonly Kill[];
  readonly ledger: Ledger;
  readonly findings: Findings;
  readonly took: number;
}

function report({ bus, seed, kills, ledger, findings, took }: Run): string {
  const victims = Object.entries(countBy(kills.map(({ victim }) => victim)));
  const lines: [string, string | number][] = [
    ['transport, seed', `${bus}, ${seed}`],
    ['seconds', `${took}, of which ${findings.settledAfterSeconds} until all was quiet`],
    ['kills', `${kills.length}: ${victims.map(([name, count]) => `${name} ${count}`).join(', ')}`],
    ['uploads answered 201', ledger.entries.length],
    ['  processed, every URL opens', findings.processed],
    ['  could not be decoded, withdrawn', findings.failed],
    ['  deleted again', findings.deleted],
    ['  URLs opened', findings.urlsOpened],
    ['taken in without an answer', findings.unanswered],
    ['moderation', describeCounts(Object.entries(findings.byStatus))],
    ['answers', describeCounts([...ledger.outcomes])],
    ['losses', findings.losses.length],
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  const table = lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  return ['', ...table, ...findings.losses.map((loss) => `  LOSS: ${loss}`), '', ''].join('\n');
}

const describeCounts = (counts: readonly (readonly [string, number])[]): string =>
  [...counts]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ');

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 1;
});
