import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { concatBytes } from '../bytes/arrays';
import { u16, u32 } from '../bytes/numbers';
import { asciiBytes } from '../bytes/text';
import { UnreadableFileError, UnsupportedVariantError } from '../errors/file-errors';
import { noise, pngChunk } from '../testing/image-samples';
import { scrub } from '../testing/scrub';
import { inspectPng } from './png';

const HEADER_END = 33;

describe('inspectPng', () => {
  let plain: Buffer;

  beforeAll(async () => {
    const raw = { width: 24, height: 10, channels: 3 as const };
    plain = await sharp(noise(24, 10, 3), { raw })
      .withIccProfile('p3')
      .png()
      .toBuffer();
  });

  const withChunk = (chunk: Uint8Array): Uint8Array =>
    concatBytes([plain.subarray(0, HEADER_END), chunk, plain.subarray(HEADER_END)]);

  it('replaces an unusual profile name by ICC', async () => {
    const renamed = (name: string): Buffer => {
      const from = plain.indexOf('iCCP') - 4;
      const data = plain.subarray(from + 8, from + 8 + plain.readUInt32BE(from));
      const chunk = pngChunk('iCCP', concatBytes([asciiBytes(name), data.subarray(data.indexOf(0))]));
      return Buffer.concat([plain.subarray(0, from), chunk, plain.subarray(from + 12 + data.length)]);
    };
    const { scrubbed } = await scrub(inspectPng, renamed("Jo's display"));
    expect(Buffer.from(scrubbed)).toEqual(renamed('ICC'));
    expect((await scrub(inspectPng, renamed('Display P3'))).rewrite).toBeNull();
  });

  /** The still picture as the default picture of an animation of one other frame, with these control chunks. */
  const withFrame = (animation: Uint8Array, control: Uint8Array): Uint8Array => {
    const end = plain.length - 12;
    const before = withChunk(pngChunk('acTL', animation)).subarray(0, end + 12 + animation.length);
    const frame = pngChunk('fdAT', asciiBytes('\0\0\0\x01 another picture'));
    return concatBytes([before, pngChunk('fcTL', control), frame, plain.subarray(end)]);
  };
  const [ACTL, FCTL] = [u32(1, 0), concatBytes([u32(0, 24, 10, 0, 0), Uint8Array.of(0, 1, 0, 10, 0, 0)])];

  it('keeps an animation of one frame, which browsers show instead of the default picture', async () => {
    const { facts, scrubbed } = await scrub(inspectPng, withFrame(ACTL, FCTL));
    expect(facts.frames).toBe(1);
    const text = Buffer.from(scrubbed).toString('latin1');
    for (const kept of ['acTL', 'fcTL', 'another picture']) expect(text).toContain(kept);
  });

  it.each([
    ['no frames', u32(0, 0), FCTL],
    ['an acTL that is too short', u32(1), FCTL],
    ['an acTL that is too long', u32(1, 0, 0), FCTL],
    ['an fcTL that is too short', ACTL, FCTL.subarray(1)],
    ['an fcTL that is too long', ACTL, concatBytes([FCTL, Uint8Array.of(0)])],
  ])('makes a still of an animation with %s', async (_, animation, control) => {
    const { facts, scrubbed } = await scrub(inspectPng, withFrame(animation, control));
    expect(facts.frames).toBe(1);
    expect(Buffer.from(scrubbed)).toEqual(plain);
  });

  it('removes chunks that are longer than allowed', async () => {
    const { scrubbed } = await scrub(inspectPng, withChunk(pngChunk('pHYs', asciiBytes('a secret message'))));
    expect(Buffer.from(scrubbed).includes('secret')).toBe(false);
  });

  it('removes chunks with a wrong CRC, which not all decoders ignore', async () => {
    const transparent = pngChunk('tRNS', new Uint8Array(6));
    transparent[transparent.length - 1] = 0;
    const { scrubbed } = await scrub(inspectPng, withChunk(transparent));
    expect(Buffer.from(scrubbed)).toEqual(plain);
  });

  it('counts the pictures in the file, not those that it claims', async () => {
    const claim = pngChunk('acTL', Uint8Array.of(0, 0, 0, 200, 0, 0, 0, 0));
    expect((await scrub(inspectPng, withChunk(claim))).facts.frames).toBe(1);
  });

  it('refuses a damaged header', async () => {
    const bytes = Uint8Array.from(plain);
    bytes[19] = 99;
    await expect(scrub(inspectPng, bytes)).rejects.toThrow(UnreadableFileError);
  });

  it('refuses an unknown critical chunk', async () => {
    await expect(scrub(inspectPng, withChunk(pngChunk('ABCD', asciiBytes('x'))))).rejects.toThrow(
      new UnsupportedVariantError('PNG with the chunk ABCD is not supported.'),
    );
  });

  describe('a palette of fewer colours than its depth can number', () => {
    /** A picture of 4 × 2 pixels with this palette, its rows as they are stored, and chunks between both. */
    const indexed = (palette: Uint8Array, rows: Uint8Array, depth = 8, ...chunks: Uint8Array[]): Uint8Array =>
      concatBytes([
        plain.subarray(0, 8),
        pngChunk('IHDR', concatBytes([u32(4, 2), Uint8Array.of(depth, 3, 0, 0, 0)])),
        pngChunk('PLTE', palette),
        ...chunks,
        pngChunk('IDAT', deflateSync(rows)),
        pngChunk('IEND', new Uint8Array(0)),
      ]);
    const TWO = Uint8Array.of(255, 0, 0, 0, 0, 255);
    const BLUE = TWO.subarray(3);

    it('stays if no pixel needs more, whatever the filters and the padding', async () => {
      for (const file of [
        indexed(TWO, Uint8Array.of(0, 0, 1, 0, 1, 0, 1, 1, 1, 1)),
        // The second row is the sum of the left one and the differences.
        indexed(TWO, Uint8Array.of(1, 1, 255, 1, 255, 2, 0, 0, 0, 0)),
        // Bits behind the fourth pixel.
        indexed(TWO, Uint8Array.of(0, 0b0101_1111, 0, 0b1010_1111), 1),
      ])
        expect((await scrub(inspectPng, file)).rewrite).toBeNull();
    });

    it.each([
      ['directly', Uint8Array.of(0, 0, 1, 0, 3, 0, 1, 1, 1, 1)],
      ['by the filter “left”', Uint8Array.of(1, 1, 1, 1, 0, 0, 0, 0, 0, 0)],
      ['by the filter “up”', Uint8Array.of(0, 1, 1, 1, 1, 2, 0, 0, 0, 2)],
      ['by the filter “average”', Uint8Array.of(0, 1, 1, 1, 1, 3, 2, 2, 0, 0)],
      ['by the filter “Paeth”', Uint8Array.of(0, 1, 1, 1, 1, 4, 1, 1, 0, 0)],
    ])('repeats its last colour for a higher number that is stored %s', async (_, rows) => {
      const { scrubbed } = await scrub(inspectPng, indexed(TWO, rows));
      expect(scrubbed).toEqual(indexed(concatBytes([TWO, BLUE, BLUE]), rows));
    });

    it('is refused if the pixels are damaged', async () => {
      for (const rows of [Uint8Array.of(0, 0, 0, 0), Uint8Array.of(5, 0, 0, 0, 0, 0, 0, 0, 0, 0)])
        await expect(scrub(inspectPng, indexed(TWO, rows))).rejects.toThrow(UnreadableFileError);
    });

    it('has alpha for no more than its colours', async () => {
      const rows = Uint8Array.of(0, 0, 1, 0, 1, 0, 1, 1, 1, 1);
      const alpha = (length: number): Uint8Array => pngChunk('tRNS', new Uint8Array(length).fill(9));
      expect((await scrub(inspectPng, indexed(TWO, rows, 8, alpha(3)))).scrubbed).toEqual(
        indexed(TWO, rows, 8, alpha(2)),
      );
    });
  });

  it('removes bits of transparency beyond the depth', async () => {
    const transparent = (...values: number[]): Uint8Array => withChunk(pngChunk('tRNS', u16(...values)));
    const { scrubbed } = await scrub(inspectPng, transparent(0x0101, 0xff02, 3));
    expect(scrubbed).toEqual(transparent(1, 2, 3));
  });

  it('joins pixels that another chunk divides', async () => {
    const at = plain.indexOf('IDAT') - 4;
    const data = plain.subarray(at + 8, at + 8 + plain.readUInt32BE(at));
    const parts = [pngChunk('IDAT', data.subarray(0, 9)), pngChunk('IDAT', data.subarray(9))] as const;
    const file = (...chunks: Uint8Array[]): Uint8Array =>
      concatBytes([plain.subarray(0, at), ...chunks, plain.subarray(at + 12 + data.length)]);
    const { scrubbed } = await scrub(
      inspectPng,
      file(parts[0], pngChunk('pHYs', new Uint8Array(9)), parts[1]),
    );
    expect(scrubbed).toEqual(file(...parts));
  });

  it('adds the end of a file that lacks only its end', async () => {
    for (const missing of [1, 5, 12])
      expect(Buffer.from((await scrub(inspectPng, plain.subarray(0, -missing))).scrubbed)).toEqual(plain);
  });

  // Promise [formats]: A truncated PNG is refused.
  it('refuses a file that is truncated at any byte of its pixels or before', async () => {
    for (let length = 8; length < plain.length - 12; length += 7) {
      await expect(scrub(inspectPng, plain.subarray(0, length))).rejects.toThrow(UnreadableFileError);
    }
  });
});
