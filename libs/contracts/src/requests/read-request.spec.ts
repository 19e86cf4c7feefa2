import fc from 'fast-check';
import { Choices, Flag, OptionalText, TagNames, Text, WholeNumber } from './fields';
import { formFields, readRequest } from './read-request';

class ExampleRequest {
  @Text({ required: true, max: 5 })
  name!: string;

  @OptionalText({ max: 5000, multiline: true })
  note?: string | null;

  @Choices(['a', 'b'])
  kinds?: string[];

  @TagNames()
  tags?: string[];
}

describe('readRequest', () => {
  // Promise [requests]: Texts are normalised to NFC; an absent field differs from `null`.
  it('reads only declared fields, in NFC, and distinguishes absent from null', () => {
    const { request } = readRequest(ExampleRequest, { name: 'e\u0301', note: null, role: 'admin' });
    expect(request).toEqual({ name: '\u00e9', note: null });
    expect(Object.keys(request ?? {})).toEqual(['name', 'note']);
  });

  describe('of a form', () => {
    class FormRequest {
      @Text({ nullable: true, max: 10 })
      title?: string | null;
      @WholeNumber({ nullable: true })
      parent_id?: number | null;
      @TagNames()
      tags?: string[];
      @Flag()
      is_nsfw?: boolean;
      @Text({ required: true, max: 10 })
      content!: string;
    }

    it('reads empty texts as null or as an empty list, if the field may be that', () => {
      const sent = { title: '', parent_id: '', tags: '', content: 'x' };
      expect(readRequest(FormRequest, formFields(sent)).request).toEqual({
        title: null,
        parent_id: null,
        tags: [],
        content: 'x',
      });
      expect(readRequest(FormRequest, formFields({ content: '', is_nsfw: '' })).errors).toEqual({
        content: ['The content field is required.'],
        is_nsfw: ['The is_nsfw field must be true or false.'],
      });
      expect(readRequest(FormRequest, { parent_id: '', content: 'x' }).errors).toHaveProperty('parent_id');
    });

    it('reads flags as checkboxes and Python write them, and numbers as digits', () => {
      for (const [text, flag] of [
        ['on', true],
        ['True', true],
        ['1', true],
        ['false', false],
        ['0', false],
      ] as const) {
        const fields = formFields({ is_nsfw: text, parent_id: '12', content: 'x' });
        expect(readRequest(FormRequest, fields).request).toMatchObject({ is_nsfw: flag, parent_id: 12 });
      }
      expect(readRequest(FormRequest, { is_nsfw: 'on', content: 'x' }).errors).toHaveProperty('is_nsfw');
    });
  });

  it.each(['', '  ', '\n\t', '\u200b', '\u00a0\u3000', '\u3164\u2800\ufeff'])(
    'reads a text that shows nothing (%j) as null, if the field may be null',
    (note) => {
      expect(readRequest(ExampleRequest, { name: 'x', note }).request).toEqual({ name: 'x', note: null });
    },
  );

  it('keeps a text that shows something, with the spaces around it', () => {
    for (const note of [' a ', '\u200d🙂', '.', 'é\n', '\u0301'])
      expect(readRequest(ExampleRequest, { name: 'x', note }).request).toMatchObject({ note });
  });

  it('returns error messages by field and by item of a list', () => {
    expect(readRequest(ExampleRequest, { kinds: ['a', 'x'] }).errors).toEqual({
      name: ['The name field is required.'],
      'kinds.1': ['The selected kinds.1 is invalid.'],
    });
  });

  it('reads a value that is not an object as one without fields', () => {
    for (const value of [undefined, null, 1, 'text', [], [{ name: 'x' }], () => undefined]) {
      expect(readRequest(ExampleRequest, value).errors).toEqual({ name: ['The name field is required.'] });
    }
  });

  it('brings texts into NFC that exceed their limit before that', () => {
    const decomposed = '\u03b1\u0313\u0300\u0345';
    expect(readRequest(ExampleRequest, { name: decomposed.repeat(5) }).request?.name).toBe(
      '\u1f82'.repeat(5),
    );
    expect(readRequest(ExampleRequest, { name: decomposed.repeat(6) }).errors).toEqual({
      name: ['The name field must not be greater than 5 characters.'],
    });
  });

  it('does not bring a text into NFC that its field’s rule refuses, because that takes quadratic time', () => {
    const normalised: string[] = [];
    const normalize = jest.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string) {
      normalised.push(String(this));
      return String(this);
    });
    const marks = '\u0300\u0316'.repeat(65_536);
    const hostile = [marks, `a${marks.slice(0, 4000)}`, 'x'.repeat(262_144), '\ud83d'.repeat(100_000)];
    try {
      for (const sent of hostile) {
        for (const value of [{ name: sent }, { name: 'a', note: sent }, { name: 'a', kinds: [sent] }]) {
          expect(readRequest(ExampleRequest, value).errors).toBeDefined();
        }
      }
    } finally {
      normalize.mockRestore();
    }
    expect(normalised.filter((text) => text !== 'a')).toEqual([]);
  });

  it('brings each text of a list into NFC once, and none of a list that is too long however it is spelled', () => {
    const normalised = jest.spyOn(String.prototype, 'normalize');
    try {
      const marks = 'a' + '\u0300\u0316'.repeat(24);
      const doubles = Array.from({ length: 2000 }, () => marks);
      expect(readRequest(ExampleRequest, { name: 'x', tags: doubles }).request?.tags).toHaveLength(1);
      expect(normalised.mock.calls.length).toBeLessThan(20);
      const spellings = Array.from({ length: 2000 }, (_, index) => `${marks.slice(0, 40)}${index}`);
      expect(readRequest(ExampleRequest, { name: 'x', tags: spellings }).errors).toEqual({
        tags: ['The tags field must not have more than 20 items.'],
      });
      expect(normalised.mock.calls.length).toBeLessThan(1000);
    } finally {
      normalised.mockRestore();
    }
  });

  it('never changes a prototype', () => {
    const value: unknown = JSON.parse(
      '{"name":"x","__proto__":{"note":"planted"},"constructor":{"prototype":{"note":"planted"}}}',
    );
    const { request } = readRequest(ExampleRequest, value);
    expect(request?.note).toBeUndefined();
    expect(Object.getPrototypeOf(request)).toBe(ExampleRequest.prototype);
    expect(({} as { note?: string }).note).toBeUndefined();
  });

  it('never throws, for any value', () => {
    fc.assert(
      fc.property(fc.record({ name: fc.anything(), note: fc.anything(), kinds: fc.anything() }), (value) => {
        readRequest(ExampleRequest, value);
      }),
    );
  });
});
