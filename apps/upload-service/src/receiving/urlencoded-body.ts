import { refusals } from './upload-errors';

/** Longest name of a field, in characters as sent. */
const MAX_NAME = 256;

const PERCENT = 0x25;
/** The value of each hexadecimal digit by its character; -1 for other characters. */
const DIGITS = Int8Array.from({ length: 256 }, (_, code) => {
  const value = parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? -1 : value;
});

/** The beginning of a field, whose name may be empty, or a piece of the value of the field that began last. */
export type FormPiece = { readonly name: string } | { readonly bytes: Buffer };

/**
 * Reads an `application/x-www-form-urlencoded` body piece by piece, so that a value may be as long as a file. `+` stands
 * for a space, except in the values of fields for which `keepsPlus` returns true: programs send base64 unescaped. Empty
 * fields count too (`&&`), so that a reader can limit how many there are. Throws the refusal of an unreadable body.
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
        yield { name: read };
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
  const bytes = Buffer.from(spaced, 'latin1');
  return spaced.includes('%') ? unescaped(bytes) : bytes;
}

/** Replaces the escapes, in place. A file of which every byte is escaped must not cost more than its transfer. */
function unescaped(bytes: Buffer): Buffer {
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const high = bytes[at] === PERCENT ? digit(bytes[at + 1]) : -1;
    const low = high < 0 ? -1 : digit(bytes[at + 2]);
    bytes[length++] = low < 0 ? bytes[at]! : high * 16 + low;
    if (low >= 0) at += 2;
  }
  return bytes.subarray(0, length);
}

const digit = (code: number | undefined): number => (code === undefined ? -1 : DIGITS[code]!);
