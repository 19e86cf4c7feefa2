import { concatBytes } from '../bytes/arrays';
import { asciiBytes } from '../bytes/text';
import { UnreadableFileError, UnsupportedVariantError } from '../errors/file-errors';
import { colourProfile } from '../testing/colour-profiles';
import { scrub } from '../testing/scrub';
import { inspectBmp } from './bmp';

interface Parts {
  readonly header?: number;
  readonly width?: number;
  readonly height?: number;
  readonly bits?: number;
  readonly compression?: number;
  readonly imageBytes?: number;
  readonly usedColours?: number;
  readonly table?: Uint8Array;
  readonly gap?: Uint8Array;
  readonly rows: Uint8Array;
  readonly tail?: Uint8Array;
}

function bmp(parts: Parts): Buffer {
  const { header = 40, width = 2, height = 2, bits = 24, compression = 0 } = parts;
  const head = Buffer.alloc(14 + header);
  const empty = new Uint8Array(0);
  const body = [parts.table ?? empty, parts.gap ?? empty, parts.rows, parts.tail ?? empty];
  head.write('BM', 'latin1');
  head.writeUInt32LE(head.length + concatBytes(body).length, 2);
  head.writeUInt32LE(head.length + concatBytes(body.slice(0, 2)).length, 10);
  head.writeUInt32LE(header, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(compression, 30);
  head.writeUInt32LE(parts.imageBytes ?? 0, 34);
  head.writeUInt32LE(parts.usedColours ?? 0, 46);
  return Buffer.from(concatBytes([head, ...body]));
}

const rows = Uint8Array.from({ length: 16 }, (_, i) => i + 1);

describe('inspectBmp', () => {
  it('removes the gap before the rows and the bytes after them', async () => {
    const { scrubbed, facts } = await scrub(
      inspectBmp,
      bmp({ rows, gap: asciiBytes('gap'), tail: asciiBytes('tail') }),
    );
    expect(Buffer.from(scrubbed)).toEqual(bmp({ rows }));
    expect(facts).toMatchObject({ width: 2, height: 2 });
  });

  it('reads a height of rows that are stored from the top down', async () => {
    expect((await scrub(inspectBmp, bmp({ rows, height: -2 }))).facts.height).toBe(2);
  });

  it('reads run lengths to their end', async () => {
    const palette = new Uint8Array(1024);
    // Three pixels of 7; end of row; three literal pixels, padded; end of picture.
    const packed = Uint8Array.of(3, 7, 0, 0, 0, 3, 1, 2, 3, 0, 0, 1);
    const shape = { width: 3, bits: 8, compression: 1, table: palette, rows: packed };
    const { scrubbed } = await scrub(inspectBmp, bmp({ ...shape, tail: asciiBytes('tail') }));
    expect(Buffer.from(scrubbed)).toEqual(bmp(shape));
    await expect(scrub(inspectBmp, bmp({ ...shape, rows: packed.subarray(0, -2) }))).rejects.toThrow(
      UnreadableFileError,
    );
  });

  it.each([
    [8, 1, Uint8Array.of(1, 1, 0, 2, 1, 0, 1, 1, 0, 0, 3, 1, 0, 1), [1, 2, 1, 0, 1, 1, 1, 0]],
    [
      4,
      2,
      Uint8Array.of(1, 0x11, 0, 2, 1, 0, 1, 0x11, 0, 0, 3, 0x11, 0, 1),
      [0x12, 0x10, 0, 0, 0x11, 0x10, 0, 0],
    ],
  ])(
    'writes rows instead of run lengths of %i bits that skip pixels, which become black',
    async (bits, compression, packed, expected) => {
      const [white, red] = [
        [255, 255, 255, 0],
        [0, 0, 255, 0],
      ] as const;
      const shape = { width: 3, bits, usedColours: 2, table: Uint8Array.from([...white, ...red]) };
      const { scrubbed } = await scrub(inspectBmp, bmp({ ...shape, compression, rows: packed }));
      const table = Uint8Array.from([...white, ...red, 0, 0, 0, 0]);
      expect(Buffer.from(scrubbed)).toEqual(
        bmp({ ...shape, usedColours: 3, imageBytes: 8, table, rows: Uint8Array.from(expected) }),
      );
    },
  );

  it('adds black for colours that the palette lacks', async () => {
    const shape = {
      bits: 8,
      usedColours: 1,
      table: Uint8Array.of(9, 9, 9, 0),
      rows: Uint8Array.of(0, 2, 0, 0, 0, 0, 0, 0),
    };
    const { scrubbed } = await scrub(inspectBmp, bmp(shape));
    const table = Uint8Array.of(9, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    expect(Buffer.from(scrubbed)).toEqual(bmp({ ...shape, usedColours: 3, table }));
  });

  it('states the colours and bytes that are there', async () => {
    const shape = { rows, usedColours: 7, imageBytes: 5 };
    expect(Buffer.from((await scrub(inspectBmp, bmp(shape))).scrubbed)).toEqual(
      bmp({ rows, imageBytes: 16 }),
    );
  });

  it('clears an alpha mask whose bits are zero in all pixels', async () => {
    const withMask = (alpha: number): Buffer => {
      const bytes = bmp({
        header: 108,
        bits: 32,
        compression: 3,
        rows: rows.map((byte, at) => (at % 4 === 3 ? 0 : byte)),
      });
      [0xff0000, 0xff00, 0xff, alpha].forEach((mask, i) => bytes.writeUInt32LE(mask, 14 + 40 + 4 * i));
      return bytes;
    };
    expect(Buffer.from((await scrub(inspectBmp, withMask(0xff000000))).scrubbed)).toEqual(withMask(0));
  });

  const masked = (bits: number, ...masks: number[]): Buffer => {
    const bytes = bmp({ header: 56, bits, compression: 3, rows });
    masks.forEach((mask, i) => bytes.writeUInt32LE(mask, 14 + 40 + 4 * i));
    return bytes;
  };
  const overlapping = bmp({ bits: 8, table: new Uint8Array(1024), rows });
  overlapping.writeUInt32LE(54, 10);

  it.each([
    ['BMP with compression 4 of 24 bits is not supported.', bmp({ rows, compression: 4 })],
    ['BMP with compression 3 of 24 bits is not supported.', bmp({ rows, compression: 3 })],
    ['BMP with empty, divided or overlapping masks is not supported.', masked(32, 0, 0xff00, 0xff)],
    ['BMP with empty, divided or overlapping masks is not supported.', masked(32, 0xff0000, 0xff00ff, 0xff)],
    ['BMP with empty, divided or overlapping masks is not supported.', masked(32, 0xff0000, 0xff00, 0xff00)],
    ['BMP with empty, divided or overlapping masks is not supported.', masked(16, 0xff0000, 0xff00, 0xff)],
    ['BMP whose pixels overlap its header or palette is not supported.', overlapping],
  ])('refuses a %s', async (message, bytes) => {
    await expect(scrub(inspectBmp, bytes)).rejects.toThrow(new UnsupportedVariantError(message));
  });

  it('moves an embedded profile and removes a linked one', async () => {
    const profile = colourProfile();
    const withProfile = (kind: string, offset: number, gap = ''): Buffer => {
      const bytes = bmp({ header: 124, rows, gap: asciiBytes(gap), tail: profile });
      bytes.write(kind, 14 + 56, 'latin1');
      bytes.writeUInt32LE(offset, 14 + 112);
      bytes.writeUInt32LE(profile.length, 14 + 116);
      return bytes;
    };
    const embedded = await scrub(inspectBmp, withProfile('DEBM', 124 + 3 + 16, 'gap'));
    expect(Buffer.from(embedded.scrubbed)).toEqual(withProfile('DEBM', 124 + 16));
    const linked = await scrub(inspectBmp, withProfile('KNIL', 124 + 16));
    expect(Buffer.from(linked.scrubbed).toString('latin1')).not.toMatch(/acsp|KNIL/);
  });

  it.each([56, 108, 124])(
    'clears the alpha mask if the compression uses no masks (header of %i bytes)',
    async (header) => {
      const withMask = (alpha: number, compression: number): Buffer => {
        const bytes = bmp({ header, bits: 32, compression, rows });
        [0xff0000, 0xff00, 0xff, alpha].forEach((mask, i) => bytes.writeUInt32LE(mask, 14 + 40 + 4 * i));
        return bytes;
      };
      const { scrubbed } = await scrub(inspectBmp, withMask(0xff000000, 0));
      expect(Buffer.from(scrubbed)).toEqual(withMask(0, 0));
      const meant = withMask(0xff000000, 3);
      expect(Buffer.from((await scrub(inspectBmp, meant)).scrubbed)).toEqual(meant);
    },
  );

  it('names sRGB instead of calibrated colours, which not all browsers read', async () => {
    for (const header of [108, 124]) {
      const plain = bmp({ header, rows });
      expect((await scrub(inspectBmp, plain)).rewrite).toBeNull();
      const calibrated = Buffer.from(plain);
      calibrated.writeUInt32LE(100 * 65_536, 14 + 100);
      const { scrubbed } = await scrub(inspectBmp, calibrated);
      plain.write('BGRs', 14 + 56, 'latin1');
      expect(Buffer.from(scrubbed)).toEqual(plain);
    }
  });

  it.each([
    ['too few rows', bmp({ rows: rows.subarray(1) })],
    ['no width', bmp({ rows, width: 0 })],
    ['no known depth', bmp({ rows, bits: 7 })],
    [
      'an alpha mask in a header that has room for three masks',
      bmp({ rows, header: 52, bits: 32, compression: 6 }),
    ],
  ])('refuses a file with %s', async (_, bytes) => {
    await expect(scrub(inspectBmp, bytes)).rejects.toThrow(UnreadableFileError);
  });
});
