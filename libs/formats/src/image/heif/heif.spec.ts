import sharp from 'sharp';
import { concatBytes } from '../../bytes/arrays';
import { MemorySource } from '../../bytes/memory-source';
import { u32 } from '../../bytes/numbers';
import { asciiBytes } from '../../bytes/text';
import {
  UnreadableFileError,
  UnsupportedFormatError,
  UnsupportedVariantError,
} from '../../errors/file-errors';
import { parseBoxes, parseBrands, writeBox, writeFullBox } from '../../isobmff/boxes';
import { AV1_HEADER } from '../../testing/heif-samples';
import { imageSamples, type ImageSample } from '../../testing/image-samples';
import { scrub } from '../../testing/scrub';
import { inspectHeif } from './heif';
import { parseMeta } from './meta-box';
import { readTrackHandlers } from './track-handlers';

describe('inspectHeif', () => {
  let samples: ImageSample[];

  beforeAll(async () => {
    samples = await imageSamples();
  });

  const bytesOf = (name: string): Uint8Array =>
    samples.find((sample) => sample.name === name)?.bytes ?? new Uint8Array(0);
  const replace = (bytes: Uint8Array, from: string, to: string): Uint8Array =>
    Uint8Array.from(Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll(from, to), 'latin1'));

  it('keeps the tiles and the transparency of the primary picture, byte for byte', async () => {
    const { scrubbed } = await scrub(inspectHeif, bytesOf('HEIC'));
    const boxes = parseBoxes(scrubbed);
    expect(boxes.map(({ type }) => type)).toEqual(['ftyp', 'meta', 'mdat']);
    const [ftyp, box] = boxes;
    if (!ftyp || !box) throw new Error('Boxes are missing.');
    expect(parseBrands(scrubbed.subarray(ftyp.body, ftyp.end))).toEqual(['heic', 'mif1', 'heic']);

    const meta = parseMeta(scrubbed.subarray(box.body, box.end), box.body, scrubbed.length);
    const payload = async (id: number): Promise<string> => {
      const [extent] = meta.items.get(id)?.extents ?? [];
      const bytes = await new MemorySource(scrubbed).read(
        extent?.from ?? 0,
        (extent?.to ?? 0) - (extent?.from ?? 0),
      );
      return Buffer.from(bytes).toString('latin1');
    };
    expect(meta.primary).toBe(3);
    expect([...meta.items.values()].map(({ type }) => type)).toEqual(['hvc1', 'hvc1', 'grid', 'hvc1']);
    expect(await Promise.all([1, 2, 4].map(payload))).toEqual(['tile-one', 'tile-two', 'alpha']);
    expect(meta.references).toEqual([
      { type: 'dimg', from: 3, to: [1, 2] },
      { type: 'auxl', from: 4, to: [3] },
    ]);
    expect(meta.items.get(3)?.properties.map(({ type }) => type)).toEqual(['ispe', 'irot']);
  });

  it("keeps a sequence's samples, byte for byte, and removes the other tracks", async () => {
    const { scrubbed } = await scrub(inspectHeif, bytesOf('AVIF sequence'));
    const text = Buffer.from(scrubbed).toString('latin1');
    expect(text.endsWith('sample-onetwosample-three')).toBe(true);
    expect(text.match(/trak/g)).toHaveLength(1);
    expect(await readTrackHandlers(new MemorySource(scrubbed))).toEqual(['pict']);
    expect(await readTrackHandlers(new MemorySource(bytesOf('AVIF sequence')))).toEqual(['pict', 'soun']);
    expect(await readTrackHandlers(new MemorySource(bytesOf('AVIF')))).toEqual([]);
    const offsets = text.indexOf('stco') + 12;
    const chunks = [0, 4].map((at) => Buffer.from(scrubbed).readUInt32BE(offsets + at));
    expect(chunks).toEqual([text.indexOf('sample-one') - AV1_HEADER.length, text.indexOf('sample-three')]);
  });

  it.each(['pict', 'auxv'])(
    'keeps no second track of the type %s that is not its transparency',
    async (type) => {
      const { scrubbed } = await scrub(inspectHeif, replace(bytesOf('AVIF sequence'), 'soun', type));
      expect(Buffer.from(scrubbed).toString('latin1').match(/trak/g)).toHaveLength(1);
    },
  );

  it('removes a rotation from a sequence of AV1, which browsers ignore', async () => {
    const upright = Buffer.from(bytesOf('AVIF sequence'));
    const turned = Buffer.from(upright);
    const matrix = turned.indexOf('tkhd') + 44;
    [0, 0x10000, 0, -0x10000, 0].forEach((value, place) => turned.writeInt32BE(value, matrix + place * 4));
    const { facts, scrubbed } = await scrub(inspectHeif, turned);
    expect(facts).toMatchObject({ width: 64, height: 48 });
    expect(scrubbed).toEqual((await scrub(inspectHeif, upright)).scrubbed);
  });

  it('refuses a sequence of AV1 that does not begin with a header', async () => {
    const file = replace(bytesOf('AVIF sequence'), '\x0a\x0b\0\0', '\x2a\x0b\0\0');
    await expect(scrub(inspectHeif, file)).rejects.toThrow(UnreadableFileError);
  });

  it('removes a crop from a sequence', async () => {
    const { scrubbed } = await scrub(inspectHeif, replace(bytesOf('AVIF sequence'), 'uuid', 'clap'));
    expect(Buffer.from(scrubbed).toString('latin1')).not.toContain('clap');
  });

  it('removes the property that chooses among the layers of a picture', async () => {
    const { scrubbed } = await scrub(inspectHeif, replace(bytesOf('HEIC'), 'udes', 'a1lx'));
    expect(Buffer.from(scrubbed).toString('latin1')).not.toContain('a1lx');
    await expect(scrub(inspectHeif, replace(bytesOf('HEIC'), 'irot', 'lsel'))).rejects.toThrow(
      UnsupportedVariantError,
    );
  });

  it('keeps no transparency of a type that not all programs know', async () => {
    const unknown = replace(bytesOf('HEIC'), 'hevc:2015:auxid:1', 'hevc:2015:auxid:3');
    const text = Buffer.from((await scrub(inspectHeif, unknown)).scrubbed).toString('latin1');
    expect(text).toContain('tile-two');
    expect(text).not.toMatch(/alpha|auxl|auxC/);
  });

  describe('of AV1', () => {
    const avif = (options: sharp.AvifOptions = {}): Promise<Buffer> =>
      sharp({ create: { width: 24, height: 10, channels: 4, background: '#cc8844' } })
        .avif(options)
        .toBuffer();
    const patched = (file: Buffer, type: string, at: number, value: number): Buffer => {
      const changed = Buffer.from(file);
      changed[changed.indexOf(type) + 4 + at] = value;
      return changed;
    };

    it.each([
      ['the profile in av1C', 'av1C', 1, 0x40],
      ['the depth in av1C', 'av1C', 2, 0x42],
      ['a depth in pixi', 'pixi', 5, 10],
    ])('has %s written again from its pictures', async (_, type, at, value) => {
      const file = await avif();
      const { scrubbed, rewrite } = await scrub(inspectHeif, patched(file, type, at, value));
      expect(rewrite).not.toBeNull();
      const body = (bytes: Uint8Array): string => {
        const from = Buffer.from(bytes).indexOf(type);
        return Buffer.from(bytes).toString('hex', from - 4, from + 8);
      };
      expect(Buffer.from(scrubbed).includes(Buffer.from(body(file), 'hex'))).toBe(true);
      expect(await sharp(scrubbed).raw().toBuffer()).toEqual(await sharp(file).raw().toBuffer());
    });

    it('is refused if a picture has another size than it says', async () => {
      await expect(scrub(inspectHeif, patched(await avif(), 'ispe', 7, 25))).rejects.toThrow('another size');
    });
  });

  it('does not accept other codecs', async () => {
    await expect(scrub(inspectHeif, replace(bytesOf('HEIC'), 'hvc1', 'vvc1'))).rejects.toThrow(
      UnsupportedFormatError,
    );
    await expect(scrub(inspectHeif, replace(bytesOf('AVIF sequence'), 'av01', 'vvc1'))).rejects.toThrow(
      UnsupportedFormatError,
    );
  });

  it.each(['pitm', 'iloc', 'iinf', 'iprp', 'ispe'])('refuses a file without %s', async (table) => {
    await expect(scrub(inspectHeif, replace(bytesOf('HEIC'), table, 'skip'))).rejects.toThrow(
      UnreadableFileError,
    );
  });

  it('refuses a file that is truncated within the picture', async () => {
    const bytes = bytesOf('HEIC');
    const end = Buffer.from(bytes).indexOf('alpha') + 3;
    await expect(scrub(inspectHeif, bytes.subarray(0, end))).rejects.toThrow(UnreadableFileError);
  });

  it('refuses a file that holds only brands', async () => {
    const bytes = concatBytes([writeBox('ftyp', asciiBytes('heic'), u32(0))]);
    await expect(scrub(inspectHeif, bytes)).rejects.toThrow(UnreadableFileError);
  });

  describe('a sequence with hostile tables', () => {
    /** A sequence of one track with `chunks` chunks of one picture of `size` bytes. */
    const sequence = (chunks: number, size: number, perChunk = 1): Uint8Array =>
      concatBytes([
        writeBox('ftyp', asciiBytes('avis'), u32(0), asciiBytes('avis')),
        writeBox(
          'moov',
          writeFullBox('mvhd', 0, 0, new Uint8Array(96)),
          writeBox(
            'trak',
            writeFullBox('tkhd', 0, 3, new Uint8Array(72), u32(64 << 16, 48 << 16)),
            writeBox(
              'mdia',
              writeFullBox('hdlr', 0, 0, u32(0), asciiBytes('pict')),
              writeBox(
                'minf',
                writeBox(
                  'stbl',
                  writeFullBox('stsd', 0, 0, u32(1), writeBox('hvc1', new Uint8Array(78))),
                  writeFullBox('stsc', 0, 0, u32(1, 1, perChunk, 1)),
                  writeFullBox('stsz', 0, 0, u32(size, chunks * perChunk)),
                  writeFullBox('stco', 0, 0, u32(chunks), new Uint8Array(chunks * 4)),
                ),
              ),
            ),
          ),
        ),
      ]);

    it('is read if the tables are short', async () => {
      expect((await scrub(inspectHeif, sequence(1000, 8))).facts.frames).toBe(1000);
    });

    it.each([
      ['has too many pieces', sequence(100_001, 8)],
      ['has too many pictures', sequence(1, 1, 100_001)],
      ['has empty pieces', sequence(2, 8, 0)],
    ])('is refused if it %s', async (_, bytes) => {
      await expect(scrub(inspectHeif, concatBytes([bytes, new Uint8Array(200_000)]))).rejects.toThrow(
        UnreadableFileError,
      );
    });
  });
});
