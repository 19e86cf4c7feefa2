import fc from 'fast-check';
import * as parse from './parsers';
import { checkConfigs } from './check-configs';
import {
  atMost,
  ConfigurationError,
  Consistent,
  contradictingSettings,
  declaredSettings,
  warningsAbout,
  isConfig,
  loadConfig,
  Setting,
} from './setting';

class ExampleConfig {
  @Setting({ env: 'EXAMPLE_PORT', why: 'A port.', parse: parse.port, default: 3000, example: '3000' })
  port!: number;

  @Setting({
    env: 'EXAMPLE_URL',
    why: 'An address.',
    parse: parse.url('http', 'https'),
    example: 'https://example.org',
  })
  url!: string;

  @Setting({
    env: 'EXAMPLE_SELF',
    why: 'An address that follows the port.',
    parse: parse.url('http'),
    default: (env) => `http://localhost:${env['EXAMPLE_PORT'] ?? 3000}`,
    example: 'http://localhost:3000',
  })
  self!: string;
}

class WiderConfig extends ExampleConfig {
  @Setting({ env: 'EXAMPLE_FLAG', why: 'A switch.', parse: parse.flag, default: false, example: 'true' })
  enabled!: boolean;
}

@Consistent<LimitsConfig>({
  field: 'idle',
  must: 'be no more than LIMITS_TOTAL',
  beside: 'LIMITS_TOTAL',
  holds: ({ idle, total }) => idle <= total,
})
@Consistent<LimitsConfig>({
  field: 'each',
  must: 'differ from EXAMPLE_PORT',
  holds: ({ each }, read) => each !== read(ExampleConfig).port,
})
class LimitsConfig {
  @Setting({
    env: 'LIMITS_IDLE',
    why: 'Seconds.',
    parse: parse.integer(1),
    default: atMost('LIMITS_TOTAL', 20),
    example: '20',
  })
  idle!: number;

  @Setting({ env: 'LIMITS_TOTAL', why: 'Seconds.', parse: parse.integer(1), default: 60, example: '60' })
  total!: number;

  @Setting({
    env: 'LIMITS_EACH',
    why: 'Things.',
    parse: parse.integer(1),
    default: 5,
    example: '5',
    warning: (value) => (value > 1000 ? 'is probably too large' : undefined),
  })
  each!: number;
}

const linesOf = (...[types, env]: Parameters<typeof checkConfigs>): readonly string[] => {
  try {
    checkConfigs(types, env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
};

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(ExampleConfig, env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
};

describe('configuration', () => {
  it('reads values, takes defaults, and derives one setting from another', () => {
    const config = loadConfig(ExampleConfig, {
      EXAMPLE_PORT: '8080',
      EXAMPLE_URL: 'https://files.example.org/',
    });
    expect(config).toEqual({ port: 8080, url: 'https://files.example.org', self: 'http://localhost:8080' });
  });

  it('treats an empty variable as unset', () => {
    expect(loadConfig(ExampleConfig, { EXAMPLE_PORT: ' ', EXAMPLE_URL: 'http://a' }).port).toBe(3000);
  });

  it('reads what a parent class declares', () => {
    expect(loadConfig(WiderConfig, { EXAMPLE_URL: 'http://a', EXAMPLE_FLAG: 'true' })).toMatchObject({
      port: 3000,
      enabled: true,
    });
  });

  it('reads a switch also as on and off', () => {
    const enabled = (text: string): boolean =>
      loadConfig(WiderConfig, { EXAMPLE_URL: 'http://a', EXAMPLE_FLAG: text }).enabled;
    expect(['on', 'off', 'true', 'false'].map(enabled)).toEqual([true, false, true, false]);
  });

  it('names every invalid variable, its problem, and an example', () => {
    expect(problemsOf({ EXAMPLE_PORT: '70000' })).toEqual([
      'EXAMPLE_PORT must be a whole number from 1 to 65535, for example EXAMPLE_PORT=3000',
      'EXAMPLE_URL is not set, for example EXAMPLE_URL=https://example.org',
    ]);
    expect(problemsOf({ EXAMPLE_URL: 'ftp://a' })).toEqual([
      'EXAMPLE_URL must be a URL that begins with http:// or https://, for example EXAMPLE_URL=https://example.org',
    ]);
  });

  it('lists what has been declared, for .env.example', () => {
    const names = declaredSettings().map((setting) => setting.env);
    expect(names).toEqual(expect.arrayContaining(['EXAMPLE_FLAG', 'EXAMPLE_PORT', 'EXAMPLE_URL']));
    expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
  });
});

describe('settings that contradict each other', () => {
  const sound = { EXAMPLE_URL: 'http://a' };

  it('are reported with an example of each', () => {
    expect(linesOf([LimitsConfig], { ...sound, LIMITS_IDLE: '61' })).toEqual([
      'LIMITS_IDLE must be no more than LIMITS_TOTAL, for example LIMITS_IDLE=20 with LIMITS_TOTAL=60',
    ]);
  });

  it('are found across classes', () => {
    expect(linesOf([LimitsConfig], { ...sound, LIMITS_EACH: '3000' })).toEqual([
      'LIMITS_EACH must differ from EXAMPLE_PORT, for example LIMITS_EACH=5',
    ]);
  });

  it('are reported together with malformed settings, but not for a malformed setting', () => {
    expect(linesOf([LimitsConfig], { ...sound, LIMITS_EACH: '3000', LIMITS_TOTAL: 'x' })).toEqual([
      'LIMITS_TOTAL must be a whole number from 1, for example LIMITS_TOTAL=60',
      'LIMITS_EACH must differ from EXAMPLE_PORT, for example LIMITS_EACH=5',
    ]);
    expect(linesOf([LimitsConfig], { EXAMPLE_PORT: 'x', LIMITS_EACH: '3000' })).toEqual([]);
  });

  it('do not arise if one limit is lowered, because the default of the other follows', () => {
    expect(loadConfig(LimitsConfig, { ...sound, LIMITS_TOTAL: '7' }).idle).toBe(7);
    expect(loadConfig(LimitsConfig, { ...sound, LIMITS_TOTAL: '70' }).idle).toBe(20);
  });
});

describe('several classes', () => {
  it('are checked together, and a problem of a shared setting is reported once', () => {
    expect(
      linesOf([ExampleConfig, WiderConfig, LimitsConfig], { LIMITS_IDLE: '0', EXAMPLE_FLAG: 'y' }),
    ).toEqual([
      'EXAMPLE_URL is not set, for example EXAMPLE_URL=https://example.org',
      'EXAMPLE_FLAG must be true or false, for example EXAMPLE_FLAG=true',
      'LIMITS_IDLE must be a whole number from 1, for example LIMITS_IDLE=20',
    ]);
  });

  it('report values that are probably mistakes', () => {
    const env = { EXAMPLE_URL: 'http://a', LIMITS_EACH: '1001' };
    expect(checkConfigs([ExampleConfig, LimitsConfig], env)).toEqual(['LIMITS_EACH is probably too large']);
    expect(warningsAbout(LimitsConfig, loadConfig(LimitsConfig, { EXAMPLE_URL: 'http://a' }))).toEqual([]);
  });

  it('are distinguished from other classes and functions', () => {
    expect([ExampleConfig, WiderConfig, Map, Object, () => 1, 'x', null].map(isConfig)).toEqual([
      true,
      true,
      ...Array<boolean>(5).fill(false),
    ]);
  });
});

describe('parsers', () => {
  it('accept whole numbers only, exactly as written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0 }), (value) => {
        expect(parse.integer(0)(String(value))).toBe(value);
      }),
    );
    for (const text of ['1.5', '1e3', '0x10', '', ' ', '12a', '9007199254740993']) {
      expect(() => parse.integer(0)(text)).toThrow('a whole number');
    }
  });

  it('split lists and remove empty words', () => {
    expect(parse.list('10.0.0.0/8, ,::1/128,')).toEqual(['10.0.0.0/8', '::1/128']);
  });

  it('accept one of the given words only', () => {
    expect(parse.oneOf('json', 'text')('text')).toBe('text');
    expect(() => parse.oneOf('json', 'text')('xml')).toThrow('one of json, text');
  });

  it('accept a URL only if its parts can be decoded', () => {
    const bus = parse.url('amqp');
    expect(bus('amqp://u:p%40ss@host:5672/v%2Fhost')).toBe('amqp://u:p%40ss@host:5672/v%2Fhost');
    for (const wrong of [
      'amqp://u:p%zz@host',
      'amqp://u:p#ss@host',
      'amqp://u:p/ss@host',
      'amqp://host:99999',
    ]) {
      expect(() => bus(wrong)).toThrow('percent-encode special characters');
    }
    expect(() => bus('amqp:host')).toThrow('a URL that begins with amqp://');
  });

  it('accept a database URL only with a name, over TCP or a socket', () => {
    for (const sound of [
      'postgresql://u:p@db.internal:5432/vitrine?sslmode=require',
      'postgresql://app@localhost/db?host=%2Frun%2Fpg',
      'postgres:///db',
    ]) {
      expect(parse.postgresUrl(sound)).toBe(sound);
    }
    for (const wrong of ['postgresql://localhost', 'postgresql://localhost/', 'postgresql://localhost?a=b']) {
      expect(() => parse.postgresUrl(wrong)).toThrow('names the database');
    }
  });

  it('accept a web address only without user, query and fragment', () => {
    expect(parse.webAddress('https://a.example/api/v1/')).toBe('https://a.example/api/v1');
    for (const wrong of ['https://u:p@a', 'https://a/?', 'https://a/?b', 'https://a#c', 'https://a/#']) {
      expect(() => parse.webAddress(wrong)).toThrow('without user, query or fragment');
    }
  });

  it('warn about trusting every proxy and about guessable secrets', () => {
    expect(parse.warnIfAllTrusted(['10.0.0.0/8', '::/0'])).toContain('any client can claim any address');
    expect(parse.warnIfAllTrusted(['10.0.0.0/8'])).toBeUndefined();
    const warn = parse.warnIfGuessable('as-the-documentation-says');
    expect(warn('as-the-documentation-says')).toContain('openssl rand');
    expect(warn('k'.repeat(40))).toContain('openssl rand');
    expect(warn('') ?? warn('0f8a1d5ce2b4973600ffab12')).toBeUndefined();
  });
});

describe('contradictingSettings', () => {
  const declare = (
    env: string,
    options: { default?: number; example?: string; parse?: (text: string) => number },
  ) => {
    class OneOfSeveral {
      @Setting({ env, why: 'A number.', parse: parse.integer(1, 9), example: '5', ...options })
      value!: number;
    }
    return OneOfSeveral;
  };

  it('names settings that are declared with different defaults, examples or meanings', () => {
    declare('EXAMPLE_ALIKE', { default: 3 });
    declare('EXAMPLE_ALIKE', { default: 3 });
    declare('EXAMPLE_DEFAULT', { default: 3 });
    declare('EXAMPLE_DEFAULT', { default: 4 });
    declare('EXAMPLE_EXAMPLE', {});
    declare('EXAMPLE_EXAMPLE', { example: '6' });
    declare('EXAMPLE_MEANING', {});
    declare('EXAMPLE_MEANING', { parse: (text) => Number(text) * 60 });
    // One process requires a setting that is optional for another.
    declare('EXAMPLE_NEEDED', {});
    declare('EXAMPLE_NEEDED', { default: 3 });

    expect(contradictingSettings()).toEqual(['EXAMPLE_DEFAULT', 'EXAMPLE_EXAMPLE', 'EXAMPLE_MEANING']);
  });
});
