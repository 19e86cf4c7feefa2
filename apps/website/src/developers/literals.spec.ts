import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { inJavaScript, inPython, inShell } from './literals';

/** In a JavaScript literal, `__proto__` has a special meaning. JSON has no -0. */
const value = fc
  .jsonValue()
  .filter((json) => !JSON.stringify(json).includes('__proto__'))
  .map((json): unknown => JSON.parse(JSON.stringify(json)));

const evaluated = (source: string): unknown => (0, eval)(`(${source})`) as unknown;

describe('literals', () => {
  it('evaluate to the same value in JavaScript', () => {
    fc.assert(fc.property(value, (json) => expect(evaluated(inJavaScript(json))).toEqual(json)));
  });

  it('are on one line if they are short, else on one line for each item', () => {
    expect(inJavaScript({ media_ids: [1], title: 'It’s', 'a-b': null })).toBe(
      "{ media_ids: [1], title: 'It’s', 'a-b': null }",
    );
    expect(inPython({ is_nsfw: false, tags: ['harbour'], title: null })).toBe(
      '{"is_nsfw": False, "tags": ["harbour"], "title": None}',
    );
    expect(inPython({ description: 'x'.repeat(60), visible: true }, '    ')).toBe(
      `{\n        "description": "${'x'.repeat(60)}",\n        "visible": True,\n    }`,
    );
  });

  it.each(['plain', "it's", '$(touch x) `y` "z" \\ !', 'two\nlines', '*?[]{}~#&|;<>()', ''])(
    'quote %j as one shell word',
    (text) => {
      expect(spawnSync('sh', ['-c', `printf %s ${inShell(text)}`]).stdout.toString()).toBe(text);
    },
  );
});
