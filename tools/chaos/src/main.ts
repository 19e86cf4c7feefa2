import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { type ChaosOptions, readOptions, type ScenarioRun, USAGE } from './options';
import { isKept, renderResult, type RunResult } from './contract/results';
import { SCENARIOS } from './scenarios';
import type { Bus } from './contract/scenario';

const RESULTS = resolve(__dirname, '../../../artefacts/chaos');

/** npm run chaos: causes failures in a running Vitrine and reports which promises it kept. */
async function main(): Promise<void> {
  let options: ChaosOptions;
  try {
    options = readOptions(process.argv.slice(2), SCENARIOS);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`);
    process.exitCode = 2;
    return;
  }
  if (options.list) {
    for (const { name, promise, settings } of SCENARIOS) {
      const defaults = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
      process.stdout.write(`${name} (${defaults.join(' ')})\n  ${promise}\n`);
    }
    return;
  }
  const broken: string[] = [];
  for (const run of options.runs) {
    const results: RunResult[] = [];
    for (const bus of run.buses) results.push(await runOnce(run, bus, options.seed));
    const { name, promise } = run.scenario;
    const folder = options.results ?? RESULTS;
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${name}.json`), `${JSON.stringify({ name, promise, results }, null, 2)}\n`);
    if (results.some(({ kept }) => !kept)) broken.push(name);
  }
  if (broken.length > 0) {
    process.stderr.write(`Broken promises: ${broken.join(', ')}\n`);
    process.exitCode = 1;
  }
}

async function runOnce({ scenario, settings }: ScenarioRun, bus: Bus, seed: number): Promise<RunResult> {
  const began = Date.now();
  const elapsed = (): number => Math.round((Date.now() - began) / 1000);
  const say = (line: string): void =>
    void process.stdout.write(`${scenario.name} ${bus} ${elapsed()} s: ${line}\n`);
  say(
    `starting with seed ${seed}, ${Object.entries(settings)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`,
  );
  const verdict = await scenario.run({ seed, settings, bus, say }).catch((error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    return { figures: [], breaches: [`The scenario itself failed: ${error.message}`] };
  });
  const result: RunResult = {
    bus,
    seed,
    settings,
    at: new Date(began).toISOString(),
    machine: { cores: cpus().length, load: loadavg()[0] ?? 0 },
    seconds: elapsed(),
    kept: isKept(verdict),
    ...verdict,
  };
  process.stdout.write(renderResult(scenario.name, result));
  return result;
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 1;
});
