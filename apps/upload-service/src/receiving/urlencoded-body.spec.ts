import fc from 'fast-check';
import { readUrlencoded } from './urlencoded-body';

/** Reads a form that arrives in pieces of `size` bytes. */
async function read(form: string, size = form.length, keepsPlus = false): Promise<[string, string][]> {
  const bytes = Buffer.from(form);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const fields: [name: string, value: Buffer][] = [];
  for await (const piece of readUrlencoded(pieces(), () => keepsPlus)) {
    if ('name' in piece) fields.push([piece.name, Buffer.alloc(0)]);
    else fields.at(-1)![1] = Buffer.concat([fields.at(-1)![1], piece.bytes]);
  }
  return fields.map(([name, value]) => [name, value.toString()]);
}

describe('readUrlencoded', () => {
  it('reads what URLSearchParams writes, in pieces of any size', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    const fields = fc.array(fc.tuple(text, text), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fields, fc.integer({ min: 1, max: 30 }), async (sent, size) => {
        expect(await read(new URLSearchParams(sent).toString(), size)).toEqual(sent);
      }),
    );
  });

  it('does not change malformed escapes, nor the plus of base64', async () => {
    expect(await read('a=%zz%4%2B+%')).toEqual([['a', '%zz%4+ %']]);
    expect(await read('a=b+c%2b', 1, true)).toEqual([['a', 'b+c+']]);
  });

  it.each(['&&', '=&=&', 'a&&b', '&'])(
    'also yields the empty fields of %s, so that they are counted',
    async (form) => {
      expect(await read(form)).toHaveLength([...form.matchAll(/&/g)].length + (form.endsWith('&') ? 0 : 1));
    },
  );
});
