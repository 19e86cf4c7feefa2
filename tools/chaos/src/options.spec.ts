import { readOptions } from './options';
import type { Scenario } from './contract/scenario';

const scenario = (name: string, more: Partial<Scenario> = {}): Scenario => ({
  name,
  promise: 'Nothing is lost.',
  settings: { uploads: 10 },
  run: () => Promise.reject(new Error('Not here')),
  ...more,
});
const SCENARIOS = [
  scenario('storm', { settings: { uploads: 2_000, kills: 100 }, buses: ['postgres', 'rabbitmq'] }),
  scenario('broker'),
  scenario('soak', { onlyByName: true }),
];

describe('readOptions', () => {
  it('runs all scenarios except the long ones by default', () => {
    const { runs, seed, list } = readOptions([], SCENARIOS);

    expect({ seed, list }).toEqual({ seed: 1, list: false });
    expect(runs).toEqual([
      { scenario: SCENARIOS[0], settings: { uploads: 2_000, kills: 100 }, buses: ['postgres', 'rabbitmq'] },
      { scenario: SCENARIOS[1], settings: { uploads: 10 }, buses: ['rabbitmq'] },
    ]);
  });

  it('runs the named scenarios in the given order, with the settings that they have', () => {
    const args = ['soak', 'storm', '--seed', '7', '--set', 'uploads=50', '--set', 'kills=0.5'];

    const { runs, seed, results } = readOptions(
      [...args, '--bus', 'postgres', '--results', 'elsewhere'],
      SCENARIOS,
    );

    expect({ seed, results }).toEqual({ seed: 7, results: 'elsewhere' });
    expect(runs.map(({ scenario: { name }, settings, buses }) => ({ name, settings, buses }))).toEqual([
      { name: 'soak', settings: { uploads: 50 }, buses: ['postgres'] },
      { name: 'storm', settings: { uploads: 50, kills: 0.5 }, buses: ['postgres'] },
    ]);
  });

  it.each([
    ['a scenario', ['strom'], 'There is no scenario strom; there are: storm, broker, soak.'],
    ['a setting', ['broker', '--set', 'kills=1'], 'There is no setting kills; there are: uploads.'],
    ['a bus', ['--bus', 'kafka'], 'There is no bus kafka.'],
    ['an option', ['--uploads', '3'], "Unknown option '--uploads'"],
  ])('refuses %s that does not exist', (_what, args, message) => {
    expect(() => readOptions(args, SCENARIOS)).toThrow(message);
  });

  it.each([
    ['--set=uploads', '--set takes name=number, not uploads.'],
    ['--set=uploads=-1', '--set takes name=number, not uploads=-1.'],
    ['--set=uploads=many', '--set takes name=number, not uploads=many.'],
    ['--seed=1.5', '--seed must be a whole number.'],
  ])('refuses %s', (arg, message) => {
    expect(() => readOptions([arg], SCENARIOS)).toThrow(message);
  });
});
