import { concatBytes } from '../bytes/arrays';
import { u32 } from '../bytes/numbers';
import { asciiBytes } from '../bytes/text';
import { writeProfile, type ProfileSpace } from '../metadata/plain-profile';

export type Tag = readonly [name: string, content: string];

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

/** A synthetic profile of version 4 of these tags; by default the colours of sRGB, in the form that `cleanProfile` writes. */
export function colourProfile(tags?: readonly Tag[], space = 'mntrRGB XYZ '): Uint8Array {
  if (!tags) return cleanedProfile(SRGB_TAGS, space);
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

/** These tags behind names and the white point, in the form that `cleanProfile` writes. */
export function cleanedProfile(
  tags: readonly Tag[],
  space = 'mntrRGB XYZ ',
  version = 4,
  name = space.slice(4, 8).trim(),
): Uint8Array {
  const bodies = new Map(tags.map(([, content]) => [content, asciiBytes(content)]));
  const header = {
    version,
    deviceClass: space.slice(0, 4),
    space: space.slice(4, 8) as ProfileSpace,
    connectionSpace: space.endsWith('Lab ') ? 'Lab ' : 'XYZ ',
  } as const;
  return writeProfile(
    header,
    name,
    tags.map(([tag, content]) => [tag, bodies.get(content) ?? new Uint8Array()]),
  );
}
