import 'reflect-metadata';

/** The raw environment, as one process sees it. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface SettingOptions<Value> {
  /** Name of the environment variable. */
  readonly env: string;
  /** One line: what it is for, with its unit. */
  readonly why: string;
  /** Reads the text of the variable; throws an `Error` whose message completes "must be …". */
  readonly parse: (text: string) => Value;
  /** The value where the variable is unset or empty, or a function that derives it from other variables. */
  readonly default?: Value | ((env: Environment) => Value);
  /** A good value, for the error message and .env.example. */
  readonly example: string;
  /** One sentence about a value that is allowed and rarely meant; undefined where there is nothing to say. */
  readonly doubt?: (value: Value) => string | undefined;
}

interface SettingRecord extends SettingOptions<unknown> {
  readonly key: string;
}

/** What must hold between one setting and others. */
export interface Consistency<Config extends object> {
  /** The field whose variable is named where it doesn't. */
  readonly field: keyof Config & string;
  /** Completes "KEY must …", e.g. `be no more than UPLOAD_TOTAL_SECONDS`. */
  readonly must: string;
  /** The other variable, whose example is shown beside that of the first. */
  readonly beside?: string;
  /** `read` gives another configuration class of the same environment. */
  readonly holds: (config: Config, read: ReadOther) => boolean;
}

/** Another configuration class of the same environment. */
export type ReadOther = <Other extends object>(type: new () => Other) => Other;

const SETTINGS = Symbol('vitrine:settings');
const RULES = Symbol('vitrine:consistency');
const declared = new Map<string, SettingRecord[]>();

/** Declares a configuration field; its type is held against `parse` by the compiler. */
export function Setting<Value>(options: SettingOptions<Value>) {
  return <Key extends string>(target: { [K in Key]: Value }, key: Key): void => {
    const own: SettingRecord[] = Reflect.getOwnMetadata(SETTINGS, target) ?? [];
    const record = { ...options, key } as SettingRecord;
    Reflect.defineMetadata(SETTINGS, [...own, record], target);
    declared.set(options.env, [...(declared.get(options.env) ?? []), record]);
  };
}

/**
 * Declares what must hold between settings of a configuration class, or of several: where it doesn't, the process
 * doesn't start. A rule is asked only where each setting that it looks at is sound by itself.
 */
export const Consistent =
  <Config extends object>(rule: Consistency<Config>) =>
  (type: new () => Config): void => {
    const own: Consistency<Config>[] = Reflect.getOwnMetadata(RULES, type.prototype) ?? [];
    // Decorators run from the last to the first; problems are told in the order in which rules are written.
    Reflect.defineMetadata(RULES, [rule, ...own], type.prototype);
  };

/**
 * A default: the usual number, or what another setting says where that is less, so that lowering one limit never
 * contradicts a default. Whether the other is a number at all is for its own reader to say.
 */
export const atMost =
  (limit: string, usual: number) =>
  (env: Environment): number =>
    Math.min(usual, Number(env[limit]?.trim() || usual) || usual);

/** Every setting declared by the modules loaded so far, by name; .env.example is made of it. */
export function declaredSettings(): readonly SettingOptions<unknown>[] {
  return [...declared.values()].map((all) => all.at(-1)!).sort((a, b) => a.env.localeCompare(b.env, 'en'));
}

/**
 * Names of settings that several of the modules loaded so far declare, and not alike: a process would take what
 * another refuses, or go by another default. Whether there has to be a value at all, and which other setting it
 * follows where there is none, each may say for itself.
 */
export function contradictingSettings(): readonly string[] {
  const kinds = (values: readonly unknown[]): number =>
    new Set(values.map((value) => JSON.stringify(value))).size;
  const differ = (all: readonly SettingRecord[]): boolean =>
    kinds(all.map(({ example, parse }) => [example, parse(example)])) > 1 ||
    kinds(
      all.map((each) => each.default).filter((value) => !['undefined', 'function'].includes(typeof value)),
    ) > 1;
  return [...declared].filter(([, all]) => differ(all)).map(([env]) => env);
}

/** A setting is missing, malformed or contradicts another: the process must not start. One line for each problem. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Reads a configuration class off the environment. Unset and empty count alike.
 * Throws `ConfigurationError` with one line for each setting that is missing, malformed or contradicts another.
 * No line holds a value of the environment, which may be a secret.
 */
export function loadConfig<T extends object>(type: new () => T, env: Environment): T {
  const { config, problems } = readSettings(type, env);
  const all = [...problems, ...contradictions(type, config, env)];
  if (all.length > 0) throw new ConfigurationError(all);
  return config;
}

/** Reads each setting by itself; the field of one that is wrong throws when it is looked at. */
function readSettings<T extends object>(
  type: new () => T,
  env: Environment,
): { readonly config: T; readonly problems: readonly string[] } {
  const config = new type();
  const problems: string[] = [];
  for (const setting of recordsOf<SettingRecord>(SETTINGS, type)) {
    try {
      Object.assign(config, { [setting.key]: read(setting, env) });
    } catch (error) {
      problems.push(problemWith(setting, (error as Error).message));
      Object.defineProperty(config, setting.key, { get: () => raise(new ConfigurationError([])) });
    }
  }
  return { config, problems };
}

/** Sentences about values of a configuration that are allowed and rarely meant, each beginning with its variable. */
export function doubtsAbout<T extends object>(type: new () => T, config: T): readonly string[] {
  return recordsOf<SettingRecord>(SETTINGS, type).flatMap(({ env, key, doubt }) => {
    const sentence = doubt?.((config as Record<string, unknown>)[key]);
    return sentence ? [`${env} ${sentence}`] : [];
  });
}

function contradictions<T extends object>(type: new () => T, config: T, env: Environment): string[] {
  const settings = recordsOf<SettingRecord>(SETTINGS, type);
  const readOther: ReadOther = (other) => readSettings(other, env).config;
  return recordsOf<Consistency<T>>(RULES, type).flatMap(({ field, must, beside, holds }) => {
    const setting = settings.find(({ key }) => key === field);
    try {
      if (!setting || holds(config, readOther)) return [];
    } catch (error) {
      // A setting that the rule looks at is wrong by itself, which is told of it.
      if (error instanceof ConfigurationError) return [];
      throw error;
    }
    const other = beside === undefined ? undefined : declared.get(beside)?.at(-1);
    const also = other ? ` with ${other.env}=${other.example}` : '';
    return [problemWith(setting, `must ${must}`) + also];
  });
}

/** Whether something is a class with settings of its own or of those that it extends. */
export const isConfig = (type: unknown): type is new () => object =>
  typeof type === 'function' && typeof type.prototype === 'object' && type.prototype !== null
    ? recordsOf(SETTINGS, type as new () => object).length > 0
    : false;

const raise = (error: Error): never => {
  throw error;
};

const problemWith = ({ env, example }: SettingRecord, what: string): string =>
  `${env} ${what}, for example ${env}=${example}`;

/** What a class and those that it extends declare, its own first. */
function recordsOf<Record>(kind: symbol, type: new () => object): readonly Record[] {
  const records: Record[] = [];
  for (
    let proto = type.prototype;
    proto && proto !== Object.prototype;
    proto = Object.getPrototypeOf(proto)
  ) {
    records.push(...((Reflect.getOwnMetadata(kind, proto) ?? []) as Record[]));
  }
  return records;
}

function read(setting: SettingRecord, env: Environment): unknown {
  const text = env[setting.env]?.trim();
  if (text) {
    try {
      return setting.parse(text);
    } catch (error) {
      throw new Error(`must be ${(error as Error).message}`, { cause: error });
    }
  }
  if (setting.default === undefined) throw new Error('is not set');
  return typeof setting.default === 'function' ? setting.default(env) : setting.default;
}
