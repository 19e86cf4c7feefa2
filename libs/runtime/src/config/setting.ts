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
}

interface SettingRecord extends SettingOptions<unknown> {
  readonly key: string;
}

const SETTINGS = Symbol('vitrine:settings');
const declared = new Map<string, SettingRecord>();

/** Declares a configuration field; its type is held against `parse` by the compiler. */
export function Setting<Value>(options: SettingOptions<Value>) {
  return <Key extends string>(target: { [K in Key]: Value }, key: Key): void => {
    const own: SettingRecord[] = Reflect.getOwnMetadata(SETTINGS, target) ?? [];
    const record = { ...options, key } as SettingRecord;
    Reflect.defineMetadata(SETTINGS, [...own, record], target);
    declared.set(options.env, record);
  };
}

/** Every setting declared by the modules loaded so far, by name; .env.example is made of it. */
export function declaredSettings(): readonly SettingOptions<unknown>[] {
  return [...declared.values()].sort((a, b) => a.env.localeCompare(b.env, 'en'));
}

/** A setting is missing or malformed: the process must not start. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Reads a configuration class off the environment. Unset and empty count alike.
 * Throws `ConfigurationError` with one line for each setting that is missing or malformed.
 */
export function loadConfig<T extends object>(type: new () => T, env: Environment): T {
  const config = new type();
  const problems: string[] = [];
  for (let proto = type.prototype; proto !== Object.prototype; proto = Object.getPrototypeOf(proto)) {
    for (const setting of (Reflect.getOwnMetadata(SETTINGS, proto) ?? []) as SettingRecord[]) {
      try {
        Object.assign(config, { [setting.key]: read(setting, env) });
      } catch (error) {
        problems.push(
          `${setting.env} ${(error as Error).message}, for example ${setting.env}=${setting.example}`,
        );
      }
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return config;
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
