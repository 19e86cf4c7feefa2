import { concatBytes } from '../bytes/arrays';
import { u32 } from '../bytes/numbers';
import { asciiBytes } from '../bytes/text';

type Tag = readonly [name: string, content: string];

const D50 = '\0\0\xf6\xd6\0\x01\0\0\0\0\xd3\x2d';
/** A gamma of 2.2. */
export const GAMMA = 'curv\0\0\0\0\0\0\0\x01\x02\x33';
/** The primaries and the tone curves of sRGB. */
export const SRGB_TAGS: readonly Tag[] = [
  ['rXYZ', 'XYZ \0\0\0\0\0\0\x6f\xa2\0\0\x38\xf5\0\0\x03\x90'],
  ['gXYZ', 'XYZ \0\0\0\0\0\0\x62\x99\0\0\xb7\x85\0\0\x18\xda'],
  ['bXYZ', 'XYZ \0\0\0\0\0\0\x24\xa0\0\0\x0f\x84\0\0\xb6\xcf'],
  ['rTRC', GAMMA],
  ['gTRC', GAMMA],
  ['bTRC', GAMMA],
];

/** A synthetic profile of these tags; by default the white point, a name, and the colours of sRGB. */
export function colourProfile(
  tags: readonly Tag[] = [
    ['wtpt', `XYZ \0\0\0\0${D50}`],
    ['desc', 'desc\0\0\0\0\0\0\0\x05Name\0\0\0\0'],
    ...SRGB_TAGS,
  ],
  space = 'mntrRGB XYZ ',
): Uint8Array {
  const table = 132 + tags.length * 12;
  const header = new Uint8Array(128);
  header.set([4, 0x30], 8);
  header.set(asciiBytes(space), 12);
  header.set(asciiBytes('acsp'), 36);
  header.set(asciiBytes(D50), 68);
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
