import fc from 'fast-check';
import { concatBytes } from '../../bytes/arrays';
import { MemorySource } from '../../bytes/memory-source';
import { u32 } from '../../bytes/numbers';
import { asciiBytes, latin1 } from '../../bytes/text';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { writeBox } from '../../isobmff/boxes';
import { readAppleHdrNote } from '../../metadata/apple-hdr-note';
import {
  appleExif,
  appleParts,
  type AppleParts,
  appleXmp,
  auxC,
  changeItem,
  gridOf,
  heicOf,
  hvcC,
  irot,
  ispe,
  VERSION_1,
  VERSION_2,
} from '../../testing/apple-samples';
import { canary, CANARY, scrub } from '../../testing/scrub';
import { avifSequence } from '../../testing/heif-samples';
import { inspectHeif, readHeifGainMap } from './heif';
import { readHeifPicture } from './heif-picture';
import { parseMeta } from './meta-box';

const EXIF = appleExif(1.25, 0.005);
const MAP = 'urn:com:apple:photo:2020:aux:hdrgainmap\0';
const OWN = [auxC(MAP), irot(3)];

/** The items of a scrubbed file: type, content, and what each refers to. */
function itemsOf(file: Uint8Array): Map<string, string> {
  const bytes = Buffer.from(file);
  const at = bytes.indexOf('meta') + 4;
  const meta = parseMeta(file.subarray(at, at - 8 + bytes.readUInt32BE(at - 8)), at, file.length);
  return new Map(
    [...meta.items.values()].map(({ id, type, extents }) => {
      const content = extents.map(({ from, to }) => bytes.toString('latin1', from, to)).join('');
      const references = meta.references
        .filter(({ from }) => from === id)
        .map(({ type, to }) => `${type} ${to.join(' ')}`);
      return [[id, type, ...references].join(' '), content];
    }),
  );
}

describe('Apple’s gain map in a HEIC', () => {
  it.each([
    [
      'in one piece',
      false,
      { '1 hvc1': 'tile-one', '2 hvc1': 'tile-two', '4 hvc1 auxl 3': 'map' },
      ['3 grid dimg 1 2', '5 mime cdsc 4', '6 Exif cdsc 3'],
    ],
    [
      'in tiles',
      true,
      { '1 hvc1': 'tile-one', '2 hvc1': 'tile-two', '5 hvc1': 'map-one', '6 hvc1': 'map-two' },
      ['3 grid dimg 1 2', '4 grid dimg 5 6 auxl 3', '7 mime cdsc 4', '8 Exif cdsc 3'],
    ],
  ])('stays with its numbers, and nothing personal stays: %s', async (_, isGrid, coded, others) => {
    const file = heicOf(appleParts(isGrid, appleXmp(VERSION_2), EXIF));
    const { scrubbed, facts } = await scrub(inspectHeif, file);
    expect(facts).toMatchObject({ width: 512, height: 1024, frames: 1 });
    expect(Buffer.from(scrubbed).includes(CANARY)).toBe(false);
    expect(Buffer.from(scrubbed).includes('acsp')).toBe(false);
    const items = itemsOf(scrubbed);
    expect([...items.keys()].sort()).toEqual([...Object.keys(coded), ...others].sort());
    expect(Object.fromEntries(items)).toMatchObject(coded);
    const content = (type: string): string => [...items].find(([key]) => key.includes(type))?.[1] ?? '';
    expect(content('mime')).toContain(VERSION_2.replace('4.9741612', '4.974161'));
    expect(readAppleHdrNote(asciiBytes(content('Exif').slice(10)))).toEqual({
      headroom: 1.25,
      gain: 0.005005,
    });
    expect((await scrub(inspectHeif, scrubbed)).rewrite).toBeNull();
  });

  it.each([
    // The formula of "Applying Apple HDR effect to your photos" for each of its four cases.
    [0.5, 0.005, VERSION_1, 2 ** 1.7],
    [0.5, 2, VERSION_1, 2 ** 1.399],
    [1, 0.005, VERSION_1, 2 ** 2.65],
    [1, 2, VERSION_1, 2 ** 1.697],
    // Programs read one or the other.
    [0.5, 2, VERSION_2, 4.974161],
  ])('brightens by the larger of its headrooms: %d, %d', async (headroom, gain, properties, expected) => {
    const file = heicOf(appleParts(false, appleXmp(properties), appleExif(headroom, gain)));
    const { scrubbed } = await scrub(inspectHeif, file);
    const map = await readHeifGainMap(new MemorySource(scrubbed));
    expect(map?.effect).toEqual({ kind: 'linear', headroom: expect.closeTo(expected, 1) });
  });

  it('is returned as a separate HEIC, turned like its picture', async () => {
    const parts = appleParts(true, appleXmp(VERSION_2), EXIF);
    const map = await readHeifGainMap(new MemorySource(heicOf(parts)));
    const picture = await readHeifPicture(new MemorySource(map?.file ?? new Uint8Array()));
    expect(picture).toMatchObject({
      colours: { width: 512, height: 256, columns: 2, tileWidth: 256 },
      transforms: [{ kind: 'turn', quarters: 3 }],
      hasAlpha: false,
    });
  });

  const refer =
    (from: number, type: string, ...to: readonly number[]) =>
    ({ items, references }: AppleParts): AppleParts => ({
      items,
      references: references.map((one) => (one[0] === type && one[1] === from ? [type, from, ...to] : one)),
    });
  const withXmp = (properties: string) => changeItem(10, { bytes: appleXmp(properties) });
  const headroom = (value: string) => withXmp(VERSION_2.replace('4.9741612', value));

  const attacks: [string, (parts: AppleParts) => AppleParts][] = [
    ['has more pixels than the picture', changeItem(4, { properties: [ispe(1024, 513), hvcC, ...OWN] })],
    ['is not rotated like the picture', changeItem(4, { properties: [ispe(512, 256), hvcC, auxC(MAP)] })],
    [
      'has a decoder configuration above 64 KiB',
      changeItem(4, {
        properties: [ispe(512, 256), writeBox('hvcC', new Uint8Array((1 << 16) + 1)), ...OWN],
      }),
    ],
    ['lies in other items', changeItem(4, { construction: 2 })],
    ['has no bytes', changeItem(4, { bytes: new Uint8Array() })],
    [
      'is of another codec',
      changeItem(4, { type: 'av01', properties: [ispe(8, 8), writeBox('av1C'), ...OWN] }),
    ],
    ['is derived in an unknown way', changeItem(4, { type: 'iovl' })],
    ['is rotated in another way', changeItem(4, { properties: [ispe(512, 256), hvcC, auxC(MAP), irot(1)] })],
    [
      'needs an unknown property',
      changeItem(4, { properties: [ispe(512, 256), hvcC, ...OWN, writeBox('lsel')] }),
    ],
    [
      'has a type with further bytes',
      changeItem(4, { properties: [ispe(8, 8), hvcC, auxC(MAP + CANARY), irot(3)] }),
    ],
    ['belongs to another picture', refer(4, 'auxl', 7)],
    ['has XMP of another picture', refer(10, 'cdsc', 7)],
    ['has no version', withXmp('')],
    ['has an unknown version', withXmp(VERSION_2.replace('131072', '196608'))],
    ['has a headroom of 300', headroom('300')],
    ['has a headroom below 1', headroom('0.5')],
    ['has a text as headroom', headroom(CANARY)],
    ['has no headroom', withXmp(VERSION_2.replace(/<HDRGainMap:HDRGainMapHeadroom>.*/, ''))],
    [
      'has too much XMP',
      changeItem(10, { bytes: concatBytes([appleXmp(VERSION_2), new Uint8Array(1 << 19)]) }),
    ],
    [
      'has no headroom but one that is out of range',
      (parts) => changeItem(9, { bytes: concatBytes([u32(0), appleExif(17, 0)]) })(withXmp(VERSION_1)(parts)),
    ],
    [
      'has no headroom but one in a file that ends too early',
      (parts) =>
        changeItem(9, { bytes: concatBytes([u32(0), EXIF.subarray(0, -90)]) })(withXmp(VERSION_1)(parts)),
    ],
  ];
  const gridAttacks: typeof attacks = [
    ['has itself as a tile', refer(4, 'dimg', 4, 4)],
    ['has tiles that are grids', (parts) => refer(4, 'dimg', 5, 5)(changeItem(5, { type: 'grid' })(parts))],
    ['has the picture as a tile', refer(4, 'dimg', 3, 3)],
    [
      'has tiles of the picture',
      (parts) => refer(4, 'dimg', 1, 2)(changeItem(4, { bytes: gridOf(2, 1000, 500) })(parts)),
    ],
    ['lacks tiles', refer(4, 'dimg', 5)],
    ['has tiles that do not exist', refer(4, 'dimg', 98, 99)],
    ['has bytes behind its grid', changeItem(4, { bytes: concatBytes([gridOf(2, 512, 256), canary]) })],
    ['has tiles outside of its edges', changeItem(4, { bytes: gridOf(2, 200, 256) })],
  ];

  it.each([
    ...attacks.map(([name, attack]) => [name, false, attack] as const),
    ...gridAttacks.map(([name, attack]) => [name, true, attack] as const),
  ])('goes if it %s', async (_, isGrid, attack) => {
    const parts = appleParts(isGrid, appleXmp(VERSION_2), EXIF);
    const { scrubbed } = await scrub(inspectHeif, heicOf(attack(parts)));
    const alone = { ...parts, references: parts.references.filter(([type]) => type !== 'auxl') };
    expect(latin1(scrubbed)).toBe(latin1((await scrub(inspectHeif, heicOf(alone))).scrubbed));
  });

  it('loses its own transparency, description and colour profile', async () => {
    const parts = appleParts(false, appleXmp(VERSION_2), EXIF);
    const hidden = {
      id: 13,
      type: 'hvc1',
      bytes: canary,
      properties: [ispe(8, 8), auxC('urn:mpeg:hevc:2015:auxid:1\0')],
    };
    const udes = writeBox('udes', u32(0), asciiBytes(`en\0${CANARY}\0\0\0`));
    const { items } = changeItem(4, { properties: [ispe(512, 256), hvcC, ...OWN, udes] })(parts);
    const file = heicOf({
      items: [...items, hidden],
      references: [...parts.references, ['auxl', 13, 4], ['prem', 4, 13]],
    });
    const { scrubbed } = await scrub(inspectHeif, file);
    const plain = await scrub(inspectHeif, heicOf(parts));
    expect(latin1(scrubbed)).toBe(latin1(plain.scrubbed));
  });

  it('goes if the file has a track, which is judged instead', async () => {
    const sequence = Buffer.from(avifSequence());
    const at = sequence.indexOf('moov') - 4;
    const moov = sequence.subarray(at, at + sequence.readUInt32BE(at));
    const file = Buffer.concat([heicOf(appleParts(false, appleXmp(VERSION_2), EXIF)), moov]);
    file.write('msf1', file.indexOf('MiHE'), 'latin1');
    const { scrubbed } = await scrub(inspectHeif, file);
    expect(Buffer.from(scrubbed).includes('trak')).toBe(true);
    expect(Buffer.from(scrubbed).includes('hdrgainmap')).toBe(false);
  });

  it('is refused or clean after any change of the tables, the XMP and the Exif', async () => {
    const file = heicOf(appleParts(true, appleXmp(VERSION_2), EXIF));
    const edits = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        const changed = Uint8Array.from(file);
        for (const [at, value] of changes) changed[at] = value;
        try {
          const { scrubbed } = await scrub(inspectHeif, changed);
          expect((await scrub(inspectHeif, scrubbed)).rewrite).toBeNull();
        } catch (error) {
          if (!(error instanceof UnsupportedFormatError)) expect(error).toBeInstanceOf(UnreadableFileError);
        }
      }),
      { numRuns: 300 },
    );
  });
});
