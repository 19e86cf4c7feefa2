import fc from 'fast-check';
import sharp from 'sharp';
import { MemorySource } from '../bytes/memory-source';
import { UnreadableFileError, UnsupportedVariantError } from '../errors/file-errors';
import { readAppleHdrNote } from '../metadata/apple-hdr-note';
import { appleExif, appleXmp, VERSION_1, VERSION_2 } from '../testing/apple-samples';
import { CANARY, scrub } from '../testing/scrub';
import { noise } from '../testing/image-samples';
import { readPlaces } from './gain-map';
import { inspectJpeg, inspectJpegInFile, readGainMap } from './jpeg';

const XMP = 'http://ns.adobe.com/xap/1.0/\0';
const NUMBERS = 'hdrgm:GainMapMax="2.25" hdrgm:HDRCapacityMax="2.3"';

const segment = (marker: number, data: Buffer | string): Buffer => {
  const body = Buffer.from(data as string, 'latin1');
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};
const afterStart = (jpeg: Buffer, ...added: readonly Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...added, jpeg.subarray(2)]);

const mapXmp = (attributes: string, content = ''): string =>
  `${XMP}<x><rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" ` +
  `dc:creator="${CANARY}" ${attributes}>${content}</rdf:Description></x>`;

/** An index of `pictures`: bytes, and offsets from the index's own header. */
function index(
  pictures: readonly (readonly [bytes: number, offset: number])[],
  count = pictures.length,
): Buffer {
  const body = Buffer.alloc(30 + pictures.length * 16);
  body.write('MPF\0II*\0\x08\0\0\0\x01\0', 'latin1');
  [0xb002, 7].forEach((value, n) => body.writeUInt16LE(value, 14 + n * 2));
  [Math.min(count * 16, 0xffff_ffff), 26].forEach((value, n) => body.writeUInt32LE(value, 18 + n * 4));
  pictures.forEach(([bytes, offset], n) => {
    body.writeUInt32LE(bytes, 34 + n * 16);
    body.writeUInt32LE(offset, 38 + n * 16);
  });
  return segment(0xe2, body);
}

interface Parts {
  readonly primary: Buffer;
  readonly map: Buffer;
  readonly gap?: Buffer;
  /** Changes the place of the map in the index. */
  readonly place?: (bytes: number, offset: number) => readonly [number, number];
  readonly count?: number;
}

/** A photograph as phones write it, with private data wherever there is room. */
function photograph({ primary, map, gap = Buffer.from(CANARY), place, count }: Parts): Buffer {
  const xmp = segment(0xe1, `${XMP}<x dc:creator="${CANARY}" Item:Length="${map.length}"/>`);
  const length =
    primary.length +
    xmp.length +
    index([
      [0, 0],
      [0, 0],
    ]).length;
  const [bytes, offset] = (place ?? ((...same) => same))(
    map.length,
    length + gap.length - 2 - xmp.length - 8,
  );
  const pictures = [[length, 0] as const, [bytes, offset] as const];
  return Buffer.concat([afterStart(primary, xmp, index(pictures, count)), gap, map, Buffer.from(CANARY)]);
}

describe('a JPEG with a gain map', () => {
  let primary: Buffer;
  let plainMap: Buffer;
  beforeAll(async () => {
    const raw = (width: number, height: number) => ({ raw: { width, height, channels: 3 as const } });
    primary = await sharp(noise(48, 32, 3), raw(48, 32))
      .jpeg()
      .toBuffer();
    plainMap = await sharp(noise(24, 16, 3), raw(24, 16))
      .withExif({ IFD0: { Artist: CANARY }, IFD3: { GPSLatitudeRef: 'N', GPSAreaInformation: CANARY } })
      .jpeg()
      .toBuffer();
  });
  const map = (xmp = mapXmp(NUMBERS)): Buffer =>
    afterStart(plainMap, segment(0xe1, xmp), segment(0xfe, CANARY), segment(0xe2, `MPF\0${CANARY}`));

  // Promise [formats]: A gain map stays, without personal data.
  it('keeps both pictures and the numbers of the map, and nothing personal', async () => {
    const file = photograph({ primary, map: map() });
    const { scrubbed, facts } = await scrub(inspectJpeg, file);
    const served = Buffer.from(scrubbed);
    expect(facts).toMatchObject({ width: 48, height: 32, frames: 1 });
    expect(served.includes(CANARY)).toBe(false);
    expect(await sharp(served).raw().toBuffer()).toEqual(await sharp(primary).raw().toBuffer());

    // Offsets count from the header of the index (CIPA DC-007).
    const header = served.indexOf('MPF\0', 0, 'latin1') + 4;
    const [bytes, from] = [served.readUInt32BE(header + 70), header + served.readUInt32BE(header + 74)];
    expect(from + bytes).toBe(served.length);
    expect(served.readUInt32BE(header + 54)).toBe(from);
    expect(served.includes(`Item:Length="${bytes}"`)).toBe(true);
    const second = served.subarray(from);
    expect(await sharp(second).raw().toBuffer()).toEqual(await sharp(plainMap).raw().toBuffer());
    expect((await sharp(second).metadata()).exif).toBeUndefined();

    expect(await readGainMap(new MemorySource(served))).toMatchObject({
      ...{ from, to: served.length },
      effect: {
        fields: { min: [0], max: [2.25], gamma: [1], offsetSdr: [0.015625], capacityMax: [2.3] },
      },
    });
    expect((await scrub(inspectJpeg, served)).rewrite).toBeNull();
  });

  it('keeps numbers for each channel', async () => {
    const list =
      '<hdrgm:GainMapMax><rdf:Seq><rdf:li>1.5</rdf:li>\n<rdf:li>2</rdf:li><rdf:li>2.5</rdf:li></rdf:Seq></hdrgm:GainMapMax>';
    const file = photograph({ primary, map: map(mapXmp('hdrgm:HDRCapacityMax="3"', list)) });
    const { scrubbed } = await scrub(inspectJpeg, file);
    expect(await readGainMap(new MemorySource(scrubbed))).toMatchObject({
      effect: { fields: { max: [1.5, 2, 2.5] } },
    });
    expect((await scrub(inspectJpeg, scrubbed)).rewrite).toBeNull();
  });

  describe('of ISO 21496-1', () => {
    const CHANNEL = [0, 1, 9, 4, 1, 1, 1, 64, 1, 64];
    const body = (head: readonly number[], numbers: readonly number[]): Buffer => {
      const bytes = Buffer.alloc(numbers.length * 4);
      numbers.forEach((value, n) => bytes.writeInt32BE(value, n * 4));
      return Buffer.concat([Buffer.from('urn:iso:std:iso:ts:21496:-1\0'), Buffer.from(head), bytes]);
    };
    const iso = (head: readonly number[], ...numbers: readonly number[]): Buffer =>
      afterStart(plainMap, segment(0xe2, body(head, numbers)), segment(0xe1, `${XMP}${CANARY}`));
    /** Version 0 of the reader and 5 of the writer, one channel, in the colours of the picture. */
    const HEAD = [0, 0, 0, 5, 0x40];

    it('keeps its numbers, also as XMP, and nothing personal', async () => {
      const file = photograph({ primary, map: iso(HEAD, 0, 1, 23, 10, ...CHANNEL) });
      const { scrubbed } = await scrub(inspectJpeg, file);
      const served = Buffer.from(scrubbed);
      expect(served.includes(CANARY)).toBe(false);
      const version = body([0, 0, 0, 0], []);
      expect(served.indexOf(version)).toBeLessThan(served.indexOf('MPF'));
      expect(await readGainMap(new MemorySource(served))).toMatchObject({
        effect: {
          kind: 'logarithmic',
          fields: { min: [0], max: [2.25], gamma: [1], offsetHdr: [0.015625], capacityMax: [2.3] },
        },
      });
      expect(served.includes('<hdrgm:GainMapMax><rdf:Seq><rdf:li>2.250000</rdf:li>')).toBe(true);
      expect((await scrub(inspectJpeg, served)).rewrite).toBeNull();
    });

    it('has the same numbers in both forms after scrubbing, those of ISO 21496-1', async () => {
      const numbers = iso(
        [0, 0, 0, 0, 0xc0],
        0,
        1,
        23,
        10,
        ...CHANNEL,
        ...CHANNEL,
        0,
        1,
        3,
        1,
        ...CHANNEL.slice(4),
      );
      const file = photograph({ primary, map: afterStart(numbers, segment(0xe1, mapXmp(NUMBERS))) });
      const { scrubbed } = await scrub(inspectJpeg, file);
      const list = [2.25, 2.25, 3];
      expect(await readGainMap(new MemorySource(scrubbed))).toMatchObject({
        effect: { fields: { max: list } },
      });
      const items = list.map((value) => `<rdf:li>${value.toFixed(6)}</rdf:li>`).join('');
      expect(Buffer.from(scrubbed).includes(`<hdrgm:GainMapMax><rdf:Seq>${items}</rdf:Seq>`)).toBe(true);
      expect((await scrub(inspectJpeg, scrubbed)).rewrite).toBeNull();
    });

    it.each<[string, () => Buffer]>([
      ['needs a newer reader', () => iso([0, 1, 0, 1, 0x40], 0, 1, 23, 10, ...CHANNEL)],
      ['applies to colours of another space', () => iso([0, 0, 0, 0, 0], 0, 1, 23, 10, ...CHANNEL)],
      ['has unknown flags', () => iso([0, 0, 0, 0, 0x48], 0, 1, 23, 10, ...CHANNEL)],
      ['belongs to a picture in HDR', () => iso(HEAD, 23, 10, 0, 1, ...CHANNEL)],
      ['has a denominator of zero', () => iso(HEAD, 0, 1, 23, 10, 0, 0, ...CHANNEL.slice(2))],
      ['has a number out of range', () => iso(HEAD, 0, 1, 23, 10, 0, 1, 9, 1, ...CHANNEL.slice(4))],
      ['ends too early', () => iso(HEAD, 0, 1, 23, 10, ...CHANNEL.slice(0, -1))],
    ])('is only its picture if the map %s', async (_, make) => {
      const { scrubbed } = await scrub(inspectJpeg, photograph({ primary, map: make() }));
      expect(Buffer.from(scrubbed)).toEqual(primary);
    });
  });

  describe('of Apple', () => {
    const exif = (headroom: number, orientation = 1): Buffer =>
      segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), appleExif(headroom, 0.005, orientation)]));
    const appleMap = (properties: string): Buffer =>
      map(`${XMP}${Buffer.from(appleXmp(properties)).toString('latin1')}`);

    it.each([
      ['version 1', VERSION_1, 6, 2 ** 1.7],
      ['version 2', VERSION_2, 1, 4.974161],
    ])(
      'keeps both pictures and the numbers of the map, and nothing personal: %s',
      async (_, properties, orientation, headroom) => {
        const file = photograph({
          primary: afterStart(primary, exif(0.5, orientation)),
          map: appleMap(properties),
        });
        const { scrubbed, facts } = await scrub(inspectJpeg, file);
        const served = Buffer.from(scrubbed);
        expect(facts).toMatchObject(
          orientation === 6 ? { width: 32, height: 48 } : { width: 48, height: 32 },
        );
        expect(served.includes(CANARY)).toBe(false);
        expect(await sharp(served).raw().toBuffer()).toEqual(await sharp(primary).raw().toBuffer());
        const { exif: block = Buffer.alloc(0), orientation: shown } = await sharp(served).metadata();
        expect(shown).toBe(orientation);
        expect(readAppleHdrNote(block.subarray(6))).toEqual({ headroom: 0.5, gain: 0.005005 });

        const header = served.indexOf('MPF\0', 0, 'latin1') + 4;
        const from = header + served.readUInt32BE(header + 74);
        expect(served.toString('latin1', 0, from).match(/Exif/g)).toHaveLength(1);
        expect(await readGainMap(new MemorySource(served))).toEqual({
          ...{ from, to: served.length },
          effect: { kind: 'linear', headroom: expect.closeTo(headroom, 1) as number },
        });
        expect((await scrub(inspectJpeg, served)).rewrite).toBeNull();
      },
    );

    it('keeps its map without a maker note if its XMP has the headroom', async () => {
      const { scrubbed } = await scrub(inspectJpeg, photograph({ primary, map: appleMap(VERSION_2) }));
      expect(await readGainMap(new MemorySource(scrubbed))).not.toBeNull();
      expect((await scrub(inspectJpeg, scrubbed)).rewrite).toBeNull();
    });

    it.each([
      ['no maker note has the headroom', () => primary],
      ['the headroom is out of range', () => afterStart(primary, exif(17))],
    ])('is only its picture if %s', async (_, make) => {
      const { scrubbed } = await scrub(
        inspectJpeg,
        photograph({ primary: make(), map: appleMap(VERSION_1) }),
      );
      expect(Buffer.from(scrubbed)).toEqual(primary);
    });
  });

  it('is without it inside of another file', async () => {
    const { scrubbed } = await scrub(inspectJpegInFile, photograph({ primary, map: map() }));
    expect(Buffer.from(scrubbed)).toEqual(primary);
  });

  const attacks: [string, () => Partial<Parts>][] = [
    ['lies beyond the end of the file', () => ({ place: (bytes, at) => [bytes + 1000, at] })],
    ['has an offset that is out of range', () => ({ place: (bytes) => [bytes, 0xffff_fff0] })],
    ['lies within the first picture', () => ({ place: (bytes) => [bytes, 4] })],
    ['is the first picture', () => ({ place: (bytes) => [bytes, 0] })],
    ['has no bytes', () => ({ place: (_, at) => [0, at] })],
    ['ends too early', () => ({ place: (bytes, at) => [bytes - 10, at] })],
    ['starts in private data', () => ({ place: (bytes, at) => [bytes, at - 4] })],
    ['is no gain map', () => ({ map: plainMap })],
    [
      'is larger than the picture',
      () => ({ primary: plainMap, map: afterStart(primary, segment(0xe1, mapXmp(NUMBERS))) }),
    ],
    ['has no brightest value', () => ({ map: map(mapXmp('hdrgm:HDRCapacityMax="2.3"')) })],
    [
      'belongs to a picture in HDR',
      () => ({ map: map(mapXmp(`${NUMBERS} hdrgm:BaseRenditionIsHDR="True"`)) }),
    ],
    [
      'has a number out of range',
      () => ({ map: map(mapXmp('hdrgm:GainMapMax="900" hdrgm:HDRCapacityMax="2"')) }),
    ],
    [
      'has a text for a number',
      () => ({ map: map(mapXmp('hdrgm:GainMapMax="1e1" hdrgm:HDRCapacityMax="2"')) }),
    ],
    [
      'is for screens that are less bright than the picture',
      () => ({ map: map(mapXmp(`${NUMBERS} hdrgm:HDRCapacityMin="2.5"`)) }),
    ],
    [
      'has its smallest above its largest value',
      () => ({ map: map(mapXmp(`${NUMBERS} hdrgm:GainMapMin="3"`)) }),
    ],
  ];
  it.each(attacks)('is only its picture if the map %s', async (_, parts) => {
    const whole = { primary, map: map(), ...parts() };
    const { scrubbed } = await scrub(inspectJpeg, photograph(whole));
    const alone = await scrub(inspectJpeg, whole.primary);
    expect(Buffer.from(scrubbed)).toEqual(Buffer.from(alone.scrubbed));
  });

  it('reads a bounded number of pictures of an index that claims any number', async () => {
    let reads = 0;
    const file = photograph({ primary, map: map(), count: 0x0fff_ffff });
    const memory = new MemorySource(file);
    const { rewrite } = await inspectJpeg({
      size: memory.size,
      read: (at, length) => (reads++, memory.read(at, length)),
    });
    expect(rewrite).not.toBeNull();
    expect(reads).toBeLessThan(20);
  });

  it('is not looked for in pictures that overlap an earlier one', () => {
    const pictures: readonly (readonly [offset: number, size: number])[] = [
      [1, 899],
      [2, 1],
      [3, 950],
      [900, 50],
      [940, 40],
    ];
    const index = Buffer.alloc(22 + pictures.length * 16);
    index.write('II*\0\x08\0\0\0\x01\0\x02\xb0\x07\0', 'latin1');
    [pictures.length * 16, 22].forEach((value, n) => index.writeUInt32LE(value, 14 + n * 4));
    pictures.forEach(([offset, size], n) => {
      index.writeUInt32LE(size, 22 + n * 16 + 4);
      index.writeUInt32LE(offset, 22 + n * 16 + 8);
    });
    expect(readPlaces(new MemorySource(new Uint8Array(1000)), index, 0, 1)).toEqual([
      { from: 1, to: 900 },
      { from: 900, to: 950 },
    ]);
  });

  it('is refused or clean after any change of its index, its XMP and the map', async () => {
    const file = photograph({ primary, map: map() });
    const edits = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        const changed = Buffer.from(file);
        for (const [at, value] of changes) changed[at] = value;
        try {
          const { scrubbed } = await scrub(inspectJpeg, changed);
          expect((await scrub(inspectJpeg, scrubbed)).rewrite).toBeNull();
        } catch (error) {
          const isRefusal = error instanceof UnreadableFileError || error instanceof UnsupportedVariantError;
          if (!isRefusal) throw error;
        }
      }),
      { numRuns: 150 },
    );
  });
});
