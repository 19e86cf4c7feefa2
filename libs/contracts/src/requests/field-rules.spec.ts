import fc from 'fast-check';
import { charactersOf, choice, choices, email, instant, tagNames, text } from './field-rules';
import { toTagName, toTagNames } from '../vocabulary/texts';

const verdict = (rule: (name: string, value: unknown) => string | null) => (value: unknown) =>
  rule('title', value);

describe('text', () => {
  const rule = verdict(text({ min: 2, max: 5, nullable: true }));

  // Promise [requests]: Lengths are counted in code points.
  it('counts code points, not UTF-16 units', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'é', '漢', '🙂'), { maxLength: 8 }), (characters) => {
        const fits = characters.length >= 2 && characters.length <= 5;
        expect(rule(characters.join('')) === null).toBe(fits);
      }),
    );
    expect(rule('🙂🙂🙂🙂🙂🙂')).toBe('The title field must not be greater than 5 characters.');
    expect(rule('a')).toBe('The title field must be at least 2 characters.');
    expect(rule('x'.repeat(10_000_000))).toBe('The title field must not be greater than 5 characters.');
  });

  it('distinguishes absent, null and empty', () => {
    expect(rule(undefined)).toBeNull();
    expect(rule(null)).toBeNull();
    const required = verdict(text({ required: true, max: 50 }));
    for (const value of [undefined, null, '']) expect(required(value)).toBe('The title field is required.');
    expect(verdict(text({ max: 50 }))(null)).toBe('The title field is required.');
    expect(verdict(text({ max: 50 }))('')).toBeNull();
  });

  it('accepts only strings', () => {
    for (const value of [1, true, [], {}, ['text']])
      expect(rule(value)).toBe('The title field must be a string.');
  });

  // Promise [requests]: Control characters give 422, except line breaks and tabs in long texts.
  it('refuses control characters and lone surrogates, and line breaks in texts of one line', () => {
    const line = verdict(text({ max: 50 }));
    const lines = verdict(text({ max: 50, multiline: true }));
    for (const bad of ['a\u0000', '\u0007', '\u001b[31m', '\u007f', '\u0085', 'a\ud83d', '\udc00b']) {
      expect(line(bad)).toBe('The title field must not contain control characters.');
      expect(lines(bad)).toBe('The title field must not contain control characters.');
    }
    for (const layout of ['a\nb', 'a\tb', 'a\r\nb']) {
      expect(line(layout)).toBe('The title field must not contain control characters.');
      expect(lines(layout)).toBeNull();
    }
    for (const fine of ['naïve', '漢字', '👩‍👩‍👧', 'עברית']) expect(line(fine)).toBeNull();
  });

  // Promise [requests]: Texts of one line can’t contain bidirectional embeddings, overrides and isolates.
  it('refuses bidirectional embeddings, overrides and isolates in texts of one line, and allows marks of direction', () => {
    const line = verdict(text({ max: 50 }));
    const bio = verdict(text({ max: 50, multiline: true, directional: false }));
    for (const character of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069') {
      for (const rule of [line, bio]) {
        expect(rule(`photo${character}gpj.exe`)).toBe(
          'The title field must not contain bidirectional control characters.',
        );
      }
      for (const options of [{ multiline: true }, { directional: true }]) {
        expect(verdict(text({ max: 50, ...options }))(`a${character}b`)).toBeNull();
      }
    }
    expect(bio('two\nlines')).toBeNull();
    for (const fine of ['\u200fעברית\u200e', 'a\u200db']) expect(line(fine)).toBeNull();
  });

  it('refuses more than 64 combining marks in a row', () => {
    const rule = verdict(text({ max: 500 }));
    expect(rule(`a${'\u0300'.repeat(64)}b${'\u0300'.repeat(64)}`)).toBeNull();
    expect(rule(`a${'\u0300\u0316'.repeat(40)}`)).toBe(
      'The title field must not contain more than 64 combining marks in a row.',
    );
  });

  it('refuses the same characters as the pattern in the API document', () => {
    const kinds = [{}, { multiline: true }, { directional: true }, { multiline: true, directional: false }];
    for (const kind of kinds) {
      const [rule, pattern] = [
        verdict(text({ max: 9, ...kind })),
        new RegExp(charactersOf({ max: 9, ...kind }), 'u'),
      ];
      const characters = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));
      expect(characters.filter((one) => pattern.test(one) !== (rule(one) === null))).toEqual([]);
    }
  });
});

describe('email', () => {
  const rule = verdict(email({}));

  it('accepts addresses, and never throws', () => {
    for (const good of ['a@example.org', 'first.last+tag@sub.example.co.uk']) expect(rule(good)).toBeNull();
    for (const bad of [
      '',
      'a',
      'a@b',
      '@example.org',
      'a b@example.org',
      `${'a'.repeat(250)}@example.org`,
      'x@\ud800.org',
      7,
      {},
    ]) {
      expect(rule(bad)).toBe('The title field must be a valid email address.');
    }
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (value) => void rule(value)));
  });
});

describe('choices', () => {
  const rule = verdict(choices({}, ['read', 'write']));

  it('accepts one or more of the words, each once, and names the invalid item', () => {
    expect(rule(['write', 'read'])).toBeNull();
    expect(rule(['read', 'fly'])).toBe('The selected title.1 is invalid.');
    expect(rule([['read']])).toBe('The selected title.0 is invalid.');
    expect(rule(['read', 'read'])).toBe('The title.1 field has a duplicate value.');
    expect(rule([])).toBe('The title field must have at least 1 items.');
    expect(rule('read')).toBe('The title field must be an array.');
  });

  it('accepts one word for a choice', () => {
    const one = verdict(choice({}, ['public', 'private']));
    expect(one('public')).toBeNull();
    for (const bad of ['Public', null, 1, ['public'], 'toString']) expect(one(bad)).not.toBeNull();
    expect(one('secret')).toBe('The selected title is invalid.');
  });
});

describe('instant', () => {
  const rule = verdict(instant({}));

  it('requires an offset from UTC and a day that exists', () => {
    for (const good of ['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.123+02:00'])
      expect(rule(good)).toBeNull();
    for (const bad of [
      '2030-01-31',
      '2030-01-31T12:00:00',
      'tomorrow',
      '',
      1,
      '2030-13-01T00:00:00Z',
      '2030-02-30T00:00:00Z',
      '2100-02-29T00:00:00Z',
      '9999-12-31T23:59:59-01:00',
      '+275760-09-13T00:00:00Z',
    ]) {
      expect(rule(bad)).toBe('The title field must be a valid date.');
    }
  });
});

describe('tagNames', () => {
  const rule = verdict(tagNames({}));
  const anyName = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 });

  // Promise [lists]: Tags are made of letters of every script, digits, dashes, underscores and spaces.
  it('accepts letters of every script, digits, dashes, underscores and spaces', () => {
    for (const good of ['sunset', 'Ärger', '日本 2024', 'a-b_c', 'हिन्दी']) expect(rule([good])).toBeNull();
    for (const bad of ['', ' ', 'a.b', 'a,b', '#a', '🙂', 'a\u0000', 'a\nb', '\ud83d', 7, null, ['a']]) {
      expect(rule(['fine', bad])).toMatch(/^The title\.1 field /);
    }
    expect(rule('sunset')).toBe('The title field must be an array.');
  });

  it('accepts at most twenty tags, counted in lowercase', () => {
    const names = Array.from({ length: 20 }, (_, index) => `tag${index}`);
    expect(rule([...names, ...names.map((name) => name.toUpperCase())])).toBeNull();
    expect(rule([...names, 'one more'])).toBe('The title field must not have more than 20 items.');
  });

  it('checks every name, also after many duplicates', () => {
    const doubles = Array.from({ length: 300 }, () => 'sunset');
    expect(rule(doubles)).toBeNull();
    for (const bad of ['a\u0000', '<b>', 7, null, 'x'.repeat(51)]) {
      expect(rule([...doubles, bad])).toMatch(/^The title\.300 field /);
    }
  });

  it('refuses a name that is longer than fifty characters in lowercase', () => {
    expect(rule(['İ'.repeat(25)])).toBeNull();
    expect(rule(['İ'.repeat(26)])).toBe('The title.0 field must not be greater than 50 characters.');
    fc.assert(
      fc.property(anyName, (name) => {
        fc.pre(rule([name]) === null);
        const length = [...toTagName(name)].length;
        expect(length >= 1 && length <= 50).toBe(true);
      }),
    );
  });

  it('lowercases a name idempotently', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const folded = toTagName(name);
        expect(toTagName(folded)).toBe(folded);
        expect(folded).toBe(folded.normalize('NFC'));
      }),
    );
    expect(toTagNames(['B', ' a', 'b ', 'A', 'E\u0301', '\u00e9'])).toEqual(['b', 'a', '\u00e9']);
  });
});
