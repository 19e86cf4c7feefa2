import { concatBytes } from '../bytes/arrays';
import { u32 } from '../bytes/numbers';
import { asciiBytes } from '../bytes/text';

/** The colour space of the pixels that a profile describes. */
export type ProfileSpace = 'RGB ' | 'GRAY' | 'CMYK';

/** What the header of a written profile says. All other fields have one value. */
export interface ProfileHeader {
  /** 2 or 4. */
  readonly version: number;
  /** `mntr`, `scnr`, `prtr` or `spac`. */
  readonly deviceClass: string;
  readonly space: ProfileSpace;
  readonly connectionSpace: 'XYZ ' | 'Lab ';
}

type Tag = readonly [name: string, body: Uint8Array];

const HEADER = 128;
const ENTRY = 12;
/** The last edition of each version. */
const MINOR: Readonly<Record<number, number>> = { 2: 0x40, 4: 0x30 };
/** CIE XYZ of the white that profiles refer to. */
export const D50 = [0.9642, 1, 0.8249] as const;

/**
 * A profile of these tags, behind the names that the format asks for, with nothing that names a device, a person or a time.
 * Tags with the same array share its bytes.
 */
export function writeProfile(header: ProfileHeader, name: string, colours: readonly Tag[]): Uint8Array {
  const { version, deviceClass, space, connectionSpace } = header;
  const tags: readonly Tag[] = [...namesOf(version, name), ['wtpt', xyzTag(D50)], ...colours];
  const places = new Map<Uint8Array, number>();
  let size = HEADER + 4 + tags.length * ENTRY;
  for (const [, body] of tags) {
    if (places.has(body)) continue;
    places.set(body, size);
    size += Math.ceil(body.length / 4) * 4;
  }
  const profile = new Uint8Array(size);
  const view = new DataView(profile.buffer);
  view.setUint32(0, size);
  profile.set([version, MINOR[version] ?? 0], 8);
  profile.set(asciiBytes(`${deviceClass}${space}${connectionSpace}`), 12);
  // The format needs a time; this is that of its edition.
  [2022, 5, 1].forEach((value, index) => view.setUint16(24 + index * 2, value));
  profile.set(asciiBytes('acsp'), 36);
  profile.set(xyzTag(D50).subarray(8), 68);
  view.setUint32(HEADER, tags.length);
  for (const [index, [tag, body]] of tags.entries()) {
    const at = HEADER + 4 + index * ENTRY;
    profile.set(asciiBytes(tag), at);
    view.setUint32(at + 4, places.get(body) ?? 0);
    view.setUint32(at + 8, body.length);
  }
  for (const [body, at] of places) profile.set(body, at);
  return profile;
}

/** The description, and the copyright, which has the same text. */
function namesOf(version: number, name: string): Tag[] {
  if (version >= 4) {
    const text = mlucTag(name);
    return [
      ['desc', text],
      ['cprt', text],
    ];
  }
  return [
    ['desc', descTag(name)],
    ['cprt', concatBytes([asciiBytes('text'), u32(0), asciiBytes(`${name}\0`)])],
  ];
}

/** `desc` with a text in ASCII, and none in the other two alphabets (ICC.1:2001-04, 6.5.17). */
const descTag = (text: string): Uint8Array =>
  concatBytes([asciiBytes('desc'), u32(0, text.length + 1), asciiBytes(`${text}\0`), new Uint8Array(78)]);

/** `mluc` with one text in English. */
const mlucTag = (text: string): Uint8Array =>
  concatBytes([
    ...[asciiBytes('mluc'), u32(0, 1, 12), asciiBytes('enUS'), u32(text.length * 2, 28)],
    asciiBytes([...text].map((letter) => `\0${letter}`).join('')),
  ]);

/** `XYZ ` with one colour. */
export const xyzTag = (values: readonly number[]): Uint8Array =>
  concatBytes([asciiBytes('XYZ '), u32(0, ...values.map((value) => Math.round(value * 65_536)))]);
