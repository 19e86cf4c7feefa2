import sharp from 'sharp';
import { asciiBytes, concatBytes } from '../bytes/cursor';
import { UnreadableFileError } from '../media-format';
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

  it('calls every profile ICC, and keeps it', async () => {
    const { scrubbed } = await scrub(inspectPng, plain);
    expect(Buffer.from(scrubbed).includes('iCCPICC\0\0')).toBe(true);
    expect((await sharp(scrubbed).metadata()).icc).toEqual((await sharp(plain).metadata()).icc);
  });

  it('keeps one profile only, in the file rather than in memory', async () => {
    const profile = (length: number): Uint8Array =>
      pngChunk('iCCP', concatBytes([asciiBytes('name\0\0'), noise(length, 1, 3)]));
    const { rewrite } = await scrub(
      inspectPng,
      withChunk(concatBytes([profile(1_000_000), profile(1000), profile(1000)])),
    );
    const literals = rewrite?.flatMap((part) => ('bytes' in part ? [part.bytes.length] : [])) ?? [];
    expect(literals.reduce((sum, length) => sum + length, 0)).toBeLessThan(100);
    const { scrubbed } = await scrub(inspectPng, withChunk(profile(2_000_000)));
    expect(Buffer.from(scrubbed).includes('iCCP')).toBe(false);
  });

  it('leaves out chunks that are longer than they may be', async () => {
    const { scrubbed } = await scrub(inspectPng, withChunk(pngChunk('pHYs', asciiBytes('a secret message'))));
    expect(Buffer.from(scrubbed).includes('secret')).toBe(false);
  });

  it('counts the pictures that are there, not those that are claimed', async () => {
    const claim = pngChunk('acTL', Uint8Array.of(0, 0, 0, 200, 0, 0, 0, 0));
    expect((await scrub(inspectPng, withChunk(claim))).facts.frames).toBe(1);
  });

  it('refuses a damaged header', async () => {
    const bytes = Uint8Array.from(plain);
    bytes[19] = 99;
    await expect(scrub(inspectPng, bytes)).rejects.toThrow(UnreadableFileError);
  });

  it('refuses a chunk that decoders must know and do not', async () => {
    await expect(scrub(inspectPng, withChunk(pngChunk('ABCD', asciiBytes('x'))))).rejects.toThrow(
      UnreadableFileError,
    );
  });

  it('refuses a file that is cut off anywhere', async () => {
    for (let length = 8; length < plain.length; length += 7) {
      await expect(scrub(inspectPng, plain.subarray(0, length))).rejects.toThrow(UnreadableFileError);
    }
  });
});
