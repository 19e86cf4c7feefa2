import { concatBytes } from '../../bytes/arrays';
import { MemorySource } from '../../bytes/memory-source';
import { u16, u32 } from '../../bytes/numbers';
import { asciiBytes, latin1 } from '../../bytes/text';
import { writeBox, writeFullBox } from '../../isobmff/boxes';
import {
  appleExif,
  appleParts,
  type AppleParts,
  appleXmp,
  changeItem,
  gridOf,
  heicOf,
  hvcC,
  irot,
  ispe,
  type SampleItem,
  VERSION_1,
} from '../../testing/apple-samples';
import { canary, CANARY, scrub } from '../../testing/scrub';
import { colourProfile } from '../../testing/colour-profiles';
import { inspectHeif, readHeifGainMap } from './heif';

/** Version, flags, the two capacities, and for one channel: smallest, largest, gamma, both offsets. */
const numbers = (version: number, max: number): Uint8Array =>
  concatBytes([
    Uint8Array.of(version),
    u16(0, 7),
    Uint8Array.of(0x40),
    u32(0, 1, 2, 1, 0, 1, max, 4, 1, 1, 1, 64, 1, 64),
  ]);

/** A HEIC whose map (item 4) a `tmap` item (13) applies, with private data wherever there is room. */
function toneParts(): AppleParts {
  const { items, references } = appleParts(false, appleXmp(VERSION_1), appleExif(1, 0));
  const colours = writeBox('colr', asciiBytes('nclx'), u16(12, 16, 1), Uint8Array.of(0x80));
  const toneMap: SampleItem = {
    ...{ id: 13, type: 'tmap', bytes: concatBytes([numbers(0, 9), canary]) },
    properties: [
      ispe(1024, 512),
      colours,
      writeBox('colr', asciiBytes('prof'), colourProfile()),
      writeFullBox('udes', 0, 0, canary),
    ],
  };
  const properties = [ispe(512, 256), hvcC, irot(3)];
  return {
    items: [...items.map((item) => (item.id === 4 ? { ...item, properties } : item)), toneMap],
    references: [...references.filter(([type]) => type !== 'auxl'), ['dimg', 13, 3, 4]],
  };
}

describe('a gain map that a tmap item applies', () => {
  it('stays with its numbers and its group, and nothing personal stays', async () => {
    const { scrubbed } = await scrub(inspectHeif, heicOf(toneParts()));
    const text = latin1(scrubbed);
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain('acsp');
    expect(text.slice(16, text.indexOf('meta') - 4)).toMatch(/tmap$/);
    // The group has a number that no item has, and lists the tmap item before the picture.
    expect(text).toContain(latin1(writeFullBox('altr', 0, 0, u32(5, 2, 13, 3))));
    expect(text).toContain(latin1(writeBox('dimg', u16(13, 2, 3, 4))));
    expect(text).toContain(latin1(writeBox('colr', asciiBytes('nclx'), u16(12, 16, 1), Uint8Array.of(0x80))));
    expect(await readHeifGainMap(new MemorySource(scrubbed))).toMatchObject({
      effect: {
        kind: 'logarithmic',
        fields: { min: [0], max: [2.25], offsetSdr: [0.015625], capacityMax: [2] },
      },
    });
    expect((await scrub(inspectHeif, scrubbed)).rewrite).toBeNull();
  });

  const apply =
    (...to: readonly number[]) =>
    ({ items, references }: AppleParts): AppleParts => ({
      items,
      references: references.map((one) => (one[1] === 13 ? ['dimg', 13, ...to] : one)),
    });

  it.each<[string, (parts: AppleParts) => AppleParts]>([
    ['has an unknown version', changeItem(13, { bytes: numbers(1, 9) })],
    ['has a number out of range', changeItem(13, { bytes: numbers(0, 36) })],
    ['ends too early', changeItem(13, { bytes: numbers(0, 9).subarray(0, -1) })],
    ['lies in other items', changeItem(13, { construction: 2 })],
    ['is turned in another way', changeItem(13, { properties: [ispe(1024, 512), irot(1)] })],
    ['needs an unknown property', changeItem(13, { properties: [ispe(1024, 512), writeBox('lsel')] })],
    ['applies the picture to the map', apply(4, 3)],
    ['applies the picture to itself', apply(3, 3)],
    ['applies itself', apply(3, 13)],
    ['applies a missing map', apply(3, 99)],
    ['applies two maps', apply(3, 4, 7)],
    ['applies a tile of the picture', apply(3, 1)],
    ['has a map of more pixels', changeItem(4, { properties: [ispe(1024, 513), hvcC, irot(3)] })],
    ['has a map in tiles that are missing', changeItem(4, { type: 'grid', bytes: gridOf(2, 512, 256) })],
  ])('goes if the item %s', async (_, attack) => {
    const parts = toneParts();
    const { scrubbed } = await scrub(inspectHeif, heicOf(attack(parts)));
    const alone = { ...parts, references: parts.references.filter(([, from]) => from !== 13) };
    expect(latin1(scrubbed)).toBe(latin1((await scrub(inspectHeif, heicOf(alone))).scrubbed));
  });
});
