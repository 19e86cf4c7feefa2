import { refusals } from './upload-errors';

/** Longest name of a field, in characters as sent. */
const MAX_NAME = 256;

/** The beginning of a field, or a piece of the value of the field that began last. */
export type FormPiece = { readonly name: string } | { readonly bytes: Buffer };

/**
 * Reads an `application/x-www-form-urlencoded` body piece by piece, so that a value may be as long as a file. `+` stands
 * for a space, except in the values of fields for which `keepsPlus` returns true: programs send base64 unescaped. Throws
 * the refusal of an unreadable body.
 */
export async function* readUrlencoded(
  body: AsyncIterable<Uint8Array>,
  keepsPlus: (name: string) => boolean,
): AsyncGenerator<FormPiece> {
  let rest = '';
  let name: string | null = null;
  for await (const chunk of body) {
    rest += Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
    for (;;) {
      if (name === null) {
        const end = rest.search(/[=&]/);
        if (end < 0 && rest.length > MAX_NAME) throw refusals.unreadableBody();
        if (end < 0) break;
        const read = decode(rest.slice(0, end), false).toString();
        if (rest[end] === '=') name = read;
        rest = rest.slice(end + 1);
        if (read !== '') yield { name: read };
      } else {
        const end = rest.indexOf('&');
        // An escape may be cut in two.
        const cut = end < 0 ? rest.length - (/%[^%]?$/.exec(rest)?.[0].length ?? 0) : end;
        if (cut > 0) yield { bytes: decode(rest.slice(0, cut), keepsPlus(name)) };
        rest = rest.slice(end < 0 ? cut : cut + 1);
        if (end < 0) break;
        name = null;
      }
    }
  }
  if (rest === '') return;
  if (name === null) yield { name: decode(rest, false).toString() };
  else yield { bytes: decode(rest, keepsPlus(name)) };
}

function decode(text: string, keepsPlus: boolean): Buffer {
  const spaced = keepsPlus ? text : text.replaceAll('+', ' ');
  const bytes = spaced.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}
