/** The transport for events. */
export type Bus = 'postgres' | 'rabbitmq';

export const BUSES: readonly Bus[] = ['postgres', 'rabbitmq'];

/** One kind of failure, and what Vitrine promises while it lasts. */
export interface Scenario {
  /** As on the command line and in docs/reliability.md. */
  readonly name: string;
  /** The promise as in docs/reliability.md. */
  readonly promise: string;
  /** Every setting with its default; `--set` overrides it. */
  readonly settings: Readonly<Record<string, number>>;
  /** The transports to run with when `--bus` names none; only RabbitMQ if absent. */
  readonly buses?: readonly Bus[];
  /** True for a scenario that takes so long that it runs only when it is named. */
  readonly onlyByName?: boolean;
  /** Starts a stack, causes the failure, judges the result and removes everything. Throws when it could not run. */
  run(context: ScenarioContext): Promise<Verdict>;
}

export interface ScenarioContext {
  /** The same seed makes the same choices. */
  readonly seed: number;
  /** The scenario's settings: its defaults, overridden by the command line. */
  readonly settings: Readonly<Record<string, number>>;
  readonly bus: Bus;
  /** Prints progress. */
  readonly say: (line: string) => void;
}

/** The result of a run. */
export interface Verdict {
  readonly figures: readonly (readonly [name: string, value: string | number])[];
  /** The ways in which the promise was broken, one sentence each. */
  readonly breaches: readonly string[];
}

/** The value of a setting. Throws when the scenario has no such setting. */
export function setting({ settings }: Pick<ScenarioContext, 'settings'>, name: string): number {
  const value = settings[name];
  if (value === undefined) throw new Error(`There is no setting ${name}`);
  return value;
}
