import fc from 'fast-check';
import { Choices, Text } from './fields';
import { readRequest } from './read-request';

class ExampleRequest {
  @Text({ required: true, max: 5 })
  name!: string;

  @Text({ nullable: true })
  note?: string | null;

  @Choices(['a', 'b'])
  kinds?: string[];
}

describe('readRequest', () => {
  it('takes declared fields alone, in NFC, and tells absent from null', () => {
    const { request } = readRequest(ExampleRequest, { name: 'e\u0301', note: null, role: 'admin' });
    expect(request).toEqual({ name: '\u00e9', note: null });
    expect(Object.keys(request ?? {})).toEqual(['name', 'note']);
  });

  it('puts sentences under their fields, and under the item of a list', () => {
    expect(readRequest(ExampleRequest, { kinds: ['a', 'x'] }).errors).toEqual({
      name: ['The name field is required.'],
      'kinds.1': ['The selected kinds.1 is invalid.'],
    });
  });

  it('reads whatever isn’t an object as one without fields', () => {
    for (const value of [undefined, null, 1, 'text', [], [{ name: 'x' }], () => undefined]) {
      expect(readRequest(ExampleRequest, value).errors).toEqual({ name: ['The name field is required.'] });
    }
  });

  it('lets nothing from outside reach a prototype', () => {
    const value: unknown = JSON.parse(
      '{"name":"x","__proto__":{"note":"planted"},"constructor":{"prototype":{"note":"planted"}}}',
    );
    const { request } = readRequest(ExampleRequest, value);
    expect(request?.note).toBeUndefined();
    expect(Object.getPrototypeOf(request)).toBe(ExampleRequest.prototype);
    expect(({} as { note?: string }).note).toBeUndefined();
  });

  it('judges anything without throwing', () => {
    fc.assert(
      fc.property(fc.record({ name: fc.anything(), note: fc.anything(), kinds: fc.anything() }), (value) => {
        readRequest(ExampleRequest, value);
      }),
    );
  });
});
