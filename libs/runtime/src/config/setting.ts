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
  /** The value if the variable is unset or empty, or a function that derives it from other variables. */
  readonly default?: Value | ((env: Environment) => Value);
  /** The value is shown to nobody, not even to admins: a password, a key, or an address that may contain one. */
  readonly secret?: true;
  /** A good value, for the error message and .env.example. */
  readonly example: string;
  /** One sentence if the value is allowed but probably a mistake, without the name of the variable; else undefined. */
  readonly warning?: (value: Value) => string | undefined;
}

export interface SettingRecord extends SettingOptions<unknown> {
  readonly key: string;
}

/** A rule about one setting and others. */
export interface Consistency<Config extends object> {
  /** The field whose variable the error names. */
  readonly field: keyof Config & string;
  /** Completes "KEY must …", e.g. `be no more than UPLOAD_TOTAL_SECONDS`. */
  readonly must: string;
  /** The other variable; the error shows an example of both. */
  readonly beside?: string;
  /** `read` reads another configuration class from the same environment. */
  readonly holds: (config: Config, read: ReadOther) => boolean;
}

/** Reads another configuration class from the same environment. */
export type ReadOther = <Other extends object>(type: new () => Other) => Other;

const SETTINGS = Symbol('vitrine:settings');
const RULES = Symbol('vitrine:consistency');
const declared = new Map<string, SettingRecord[]>();

/**
 * Declares a configuration field; the compiler checks that `parse` returns the field's type. `.env.example` and the
 * messages about invalid settings come from these declarations; `@nestjs/config` has only values under string keys.
 */
export function Setting<Value>(options: SettingOptions<Value>) {
  return <Key extends string>(target: { [K in Key]: Value }, key: Key): void => {
    const own: SettingRecord[] = Reflect.getOwnMetadata(SETTINGS, target) ?? [];
    const record = { ...options, key } as SettingRecord;
    Reflect.defineMetadata(SETTINGS, [...own, record], target);
    declared.set(options.env, [...(declared.get(options.env) ?? []), record]);
  };
}

/**
 * Declares a rule about settings of one configuration class, or of several. If it doesn't hold, the process doesn't start.
 * It is only checked if each setting that it reads is valid by itself.
 */
export const Consistent =
  <Config extends object>(rule: Consistency<Config>) =>
  (type: new () => Config): void => {
    const own: Consistency<Config>[] = Reflect.getOwnMetadata(RULES, type.prototype) ?? [];
    // Decorators run from the last to the first; problems are reported in the order in which the rules are written.
    Reflect.defineMetadata(RULES, [rule, ...own], type.prototype);
  };

/**
 * Returns a default: the usual number, or the value of another setting if that is less. So lowering one limit never
 * contradicts the default of another. If the other value is not a number, its own setting reports that.
 */
export const atMost =
  (limit: string, usual: number) =>
  (env: Environment): number =>
    Math.min(usual, Number(env[limit]?.trim() || usual) || usual);

/** Returns every setting that the loaded modules declare, by name; .env.example is generated from it. */
export function declaredSettings(): readonly SettingOptions<unknown>[] {
  return [...declared.values()].map((all) => all.at(-1)!).sort((a, b) => a.env.localeCompare(b.env, 'en'));
}

/**
 * Returns the names of settings that several loaded modules declare differently: one process would accept a value that
 * another rejects, or use another default. Only whether a value is required, and from which settings a missing one is
 * derived, may differ.
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

/** Settings are missing, malformed or contradict each other: the process must not start. One line per problem. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Reads a configuration class from the environment. An empty variable counts as unset.
 * Throws `ConfigurationError` with one line for each setting that is missing, malformed or contradicts another.
 * No line contains a value of the environment, because it may be a secret.
 */
export function loadConfig<T extends object>(type: new () => T, env: Environment): T {
  const { config, problems } = readSettings(type, env);
  const all = [...problems, ...contradictions(type, config, env)];
  if (all.length > 0) throw new ConfigurationError(all);
  return config;
}

/** Reads each setting by itself; reading the field of an invalid one throws. */
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

/** Returns one sentence, beginning with the variable, for each value that is allowed but probably a mistake. */
export function warningsAbout<T extends object>(type: new () => T, config: T): readonly string[] {
  return recordsOf<SettingRecord>(SETTINGS, type).flatMap(({ env, key, warning }) => {
    const sentence = warning?.((config as Record<string, unknown>)[key]);
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
      // A setting that the rule reads is invalid by itself, and is reported as such.
      if (error instanceof ConfigurationError) return [];
      throw error;
    }
    const other = beside === undefined ? undefined : declared.get(beside)?.at(-1);
    const also = other ? ` with ${other.env}=${other.example}` : '';
    return [problemWith(setting, `must ${must}`) + also];
  });
}

/** Returns the settings that a class declares, its own or inherited ones. */
export const settingsOf = (type: new () => object): readonly SettingRecord[] =>
  recordsOf<SettingRecord>(SETTINGS, type);

/** Whether a value is a class with settings, its own or inherited ones. */
export const isConfig = (type: unknown): type is new () => object =>
  typeof type === 'function' && typeof type.prototype === 'object' && type.prototype !== null
    ? recordsOf(SETTINGS, type as new () => object).length > 0
    : false;

const raise = (error: Error): never => {
  throw error;
};

const problemWith = ({ env, example }: SettingRecord, what: string): string =>
  `${env} ${what}, for example ${env}=${example}`;

/** Returns what a class and its parent classes declare, its own first. */
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
