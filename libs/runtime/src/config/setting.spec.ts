import fc from 'fast-check';
import * as parse from './parsers';
import { ConfigurationError, declaredSettings, loadConfig, Setting } from './setting';

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

  it('takes an empty variable for an unset one', () => {
    expect(loadConfig(ExampleConfig, { EXAMPLE_PORT: ' ', EXAMPLE_URL: 'http://a' }).port).toBe(3000);
  });

  it('reads what a parent class declares', () => {
    expect(loadConfig(WiderConfig, { EXAMPLE_URL: 'http://a', EXAMPLE_FLAG: 'true' })).toMatchObject({
      port: 3000,
      enabled: true,
    });
  });

  it('names every variable that is wrong, what is wrong with it, and a good value', () => {
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

describe('parsers', () => {
  it('take a whole number as it was written, and nothing that only looks like one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0 }), (value) => {
        expect(parse.integer(0)(String(value))).toBe(value);
      }),
    );
    for (const text of ['1.5', '1e3', '0x10', '', ' ', '12a', '9007199254740993']) {
      expect(() => parse.integer(0)(text)).toThrow('a whole number');
    }
  });

  it('split lists and leave out what is empty', () => {
    expect(parse.list('10.0.0.0/8, ,::1/128,')).toEqual(['10.0.0.0/8', '::1/128']);
  });

  it('accept one of the given words only', () => {
    expect(parse.oneOf('json', 'text')('text')).toBe('text');
    expect(() => parse.oneOf('json', 'text')('xml')).toThrow('one of json, text');
  });
});
