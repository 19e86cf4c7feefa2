import sharp from 'sharp';
import { concatBytes } from '../bytes/arrays';
import { u32 } from '../bytes/numbers';
import { asciiBytes } from '../bytes/text';
import { UnreadableFileError } from '../errors/file-errors';
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

  it('removes an animation of one frame, which would hide the still picture', async () => {
    const control = pngChunk('fcTL', concatBytes([u32(0, 24, 10, 0, 0), Uint8Array.of(0, 1, 0, 10, 0, 0)]));
    const other = pngChunk('fdAT', asciiBytes('\0\0\0\x01 another picture'));
    const end = plain.length - 12;
    const file = concatBytes([
      withChunk(pngChunk('acTL', u32(1, 0))).subarray(0, end + 20),
      control,
      other,
      plain.subarray(end),
    ]);
    const { facts, scrubbed } = await scrub(inspectPng, file);
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
      UnreadableFileError,
    );
  });

  it('refuses a file that is truncated at any byte', async () => {
    for (let length = 8; length < plain.length; length += 7) {
      await expect(scrub(inspectPng, plain.subarray(0, length))).rejects.toThrow(UnreadableFileError);
    }
  });
});
