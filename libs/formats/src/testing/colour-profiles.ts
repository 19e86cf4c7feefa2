import { concatBytes } from '../bytes/arrays';
import { u32 } from '../bytes/numbers';
import { asciiBytes } from '../bytes/text';

/** A synthetic profile of these tags; by default the white point and a name. */
export function colourProfile(
  tags: readonly (readonly [name: string, content: string])[] = [
    ['wtpt', 'XYZ \0\0\0\0\0\0\xf6\xd6\0\x01\0\0\0\0\xd3\x2d'],
    ['desc', 'desc\0\0\0\0\0\0\0\x05Name\0\0\0\0'],
  ],
): Uint8Array {
  const table = 132 + tags.length * 12;
  const header = new Uint8Array(128);
  header.set(asciiBytes('RGB XYZ '), 16);
  header.set(asciiBytes('acsp'), 36);
  const entries: Uint8Array[] = [];
  const contents: Uint8Array[] = [];
  let at = table;
  for (const [name, content] of tags) {
    const bytes = asciiBytes(content.padEnd(Math.ceil(content.length / 4) * 4, '\0'));
    entries.push(asciiBytes(name), u32(at, bytes.length));
    contents.push(bytes);
    at += bytes.length;
  }
  header.set(u32(at));
  return concatBytes([header, u32(tags.length), ...entries, ...contents]);
}
