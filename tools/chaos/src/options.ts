import { parseArgs } from 'node:util';
import { type Bus, BUSES, type Scenario } from './contract/scenario';

export interface ChaosOptions {
  readonly runs: readonly ScenarioRun[];
  readonly seed: number;
  /** Folder for the results; undefined for the default folder. */
  readonly results?: string;
  /** Whether to print the scenarios instead of running them. */
  readonly list: boolean;
}

/** One scenario with its settings, and the transports that it runs with, one after the other. */
export interface ScenarioRun {
  readonly scenario: Scenario;
  readonly settings: Readonly<Record<string, number>>;
  readonly buses: readonly Bus[];
}

export const USAGE =
  'npm run chaos -- [scenario …] [--seed N] [--set name=number …] [--bus postgres|rabbitmq] [--results FOLDER] [--list]';

/** Reads the command line. Throws an error with a readable message when a name or a value is unknown. */
export function readOptions(args: readonly string[], scenarios: readonly Scenario[]): ChaosOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: '1' },
      set: { type: 'string', multiple: true, default: [] },
      bus: { type: 'string' },
      results: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  });
  const chosen = chooseScenarios(positionals, scenarios);
  const bus = values.bus === undefined ? undefined : BUSES.find((name) => name === values.bus);
  if (values.bus !== undefined && !bus) throw new Error(`There is no bus ${values.bus}.`);
  if (!/^\d{1,9}$/.test(values.seed)) throw new Error('--seed must be a whole number.');
  const overrides = values.set.map(readOverride);
  for (const [name] of overrides) {
    if (!chosen.some(({ settings }) => name in settings)) {
      const known = [...new Set(chosen.flatMap(({ settings }) => Object.keys(settings)))];
      throw new Error(`There is no setting ${name}; there are: ${known.join(', ')}.`);
    }
  }
  return {
    runs: chosen.map((scenario) => ({
      scenario,
      settings: {
        ...scenario.settings,
        ...Object.fromEntries(overrides.filter(([name]) => name in scenario.settings)),
      },
      buses: bus ? [bus] : (scenario.buses ?? ['rabbitmq']),
    })),
    seed: Number(values.seed),
    ...(values.results !== undefined && { results: values.results }),
    list: values.list,
  };
}

function chooseScenarios(names: readonly string[], scenarios: readonly Scenario[]): readonly Scenario[] {
  if (names.length === 0) return scenarios.filter(({ onlyByName }) => !onlyByName);
  return names.map((name) => {
    const scenario = scenarios.find((one) => one.name === name);
    if (scenario) return scenario;
    throw new Error(
      `There is no scenario ${name}; there are: ${scenarios.map((one) => one.name).join(', ')}.`,
    );
  });
}

function readOverride(text: string): readonly [string, number] {
  const [, name, number] = /^([a-zA-Z][a-zA-Z0-9]*)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (name === undefined) throw new Error(`--set takes name=number, not ${text}.`);
  return [name, Number(number)];
}
