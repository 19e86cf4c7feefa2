/** The transport that a run's events take. */
export type Bus = 'postgres' | 'rabbitmq';

export const BUSES: readonly Bus[] = ['postgres', 'rabbitmq'];

/** One way in which things break, and what Vitrine promises meanwhile. */
export interface Scenario {
  /** As on the command line and in docs/reliability.md. */
  readonly name: string;
  /** One sentence, as in docs/reliability.md. */
  readonly promise: string;
  /** Every setting with its default; `--set` overrides them. */
  readonly settings: Readonly<Record<string, number>>;
  /** The transports that it is run over where `--bus` names none; RabbitMQ alone where absent. */
  readonly buses?: readonly Bus[];
  /** True for what takes so long that it is run only where it is named. */
  readonly onlyByName?: boolean;
  /** Starts what it needs, breaks it, judges, and takes everything away again. Throws where it could not be run. */
  run(context: ScenarioContext): Promise<Verdict>;
}

export interface ScenarioContext {
  /** The same seed makes the same choices. */
  readonly seed: number;
  /** The scenario's settings, those of the command line over its defaults. */
  readonly settings: Readonly<Record<string, number>>;
  readonly bus: Bus;
  /** Tells whoever waits how far it is. */
  readonly say: (line: string) => void;
}

/** What a run came to. */
export interface Verdict {
  readonly figures: readonly (readonly [name: string, value: string | number])[];
  /** Where the promise was broken, one sentence each. */
  readonly breaches: readonly string[];
}

/** The value of one of the scenario's own settings. Throws where it has no such setting. */
export function setting({ settings }: Pick<ScenarioContext, 'settings'>, name: string): number {
  const value = settings[name];
  if (value === undefined) throw new Error(`There is no setting ${name}`);
  return value;
}
