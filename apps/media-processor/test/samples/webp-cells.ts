import { CELL, type CodedCell, quartersOf } from './coded-cell';

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const u24 = (value: number): Buffer => Buffer.from([value & 255, (value >> 8) & 255, value >> 16]);

export const chunk = ({ type, data }: Chunk): Buffer => {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
};

/** A WebP of these chunks. */
export function webpOf(...chunks: readonly Chunk[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks.map(chunk)]);
  const head = Buffer.alloc(8);
  head.write('RIFF', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** The chunks of a WebP that an encoder has written, without its header. */
export function picturesOf(file: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 12; at + 8 <= file.length;) {
    const length = file.readUInt32LE(at + 4);
    const type = file.toString('latin1', at, at + 4);
    if (type !== 'VP8X') chunks.push({ type, data: file.subarray(at + 8, at + 8 + length) });
    at += 8 + length + (length % 2);
  }
  return chunks;
}

const [ALPHA, EXIF, ANIMATION] = [0x10, 0x08, 0x02];

export const header = (
  flags: number,
  { width, height } = CELL as { width: number; height: number },
): Chunk => ({
  type: 'VP8X',
  data: Buffer.concat([Buffer.from([flags, 0, 0, 0]), u24(width - 1), u24(height - 1)]),
});
export const control: Chunk = { type: 'ANIM', data: Buffer.from([0, 0, 255, 255, 0, 0]) };

/** One frame that is shown for a minute, so that a screenshot shows the first. */
export const frame = (
  pictures: readonly Chunk[],
  { left = 0, top = 0, width = CELL.width as number, height = CELL.height as number, flags = 0 } = {},
): Chunk => ({
  type: 'ANMF',
  data: Buffer.concat([
    ...[left / 2, top / 2, width - 1, height - 1, 60_000].map(u24),
    Buffer.from([flags]),
    ...pictures.map(chunk),
  ]),
});

/** WebP files with one peculiarity each. */
export async function webpCells(): Promise<CodedCell[]> {
  const lossy = picturesOf(await quartersOf(true).webp({ quality: 95 }).toBuffer());
  const opaque = picturesOf(await quartersOf(false).webp({ quality: 95 }).toBuffer());
  const opaqueLossless = picturesOf(await quartersOf(false).webp({ lossless: true }).toBuffer());
  const lossless = picturesOf(await quartersOf(true).webp({ lossless: true }).toBuffer());
  const unhinted = lossless.map(({ type, data }) => {
    const changed = Buffer.from(data);
    // The bit after the size (RFC 9649, section 3.4).
    changed[4] = (changed[4] ?? 0) & ~0x10;
    return { type, data: changed };
  });
  const alpha = lossy.find(({ type }) => type === 'ALPH') as Chunk;
  const turned: Chunk = {
    type: 'EXIF',
    data: Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex'),
  };
  const small = { width: 24, height: 16 };
  const cells: [string, Buffer][] = [
    ...Object.entries({ lossy, opaque, lossless, opaqueLossless, unhinted }).flatMap(
      ([kind, pictures]): [string, Buffer][] => [
        [`${kind} with the flag of transparency`, webpOf(header(ALPHA), ...pictures)],
        [`${kind} without the flag`, webpOf(header(0), ...pictures)],
        [`${kind} alone`, webpOf(...pictures)],
        [
          `animated ${kind} with the flag`,
          webpOf(header(ANIMATION | ALPHA), control, frame(pictures), frame(opaque)),
        ],
        [
          `animated ${kind} without the flag`,
          webpOf(header(ANIMATION), control, frame(pictures), frame(opaque)),
        ],
        [`animated ${kind}, of one frame`, webpOf(header(ANIMATION), control, frame(pictures))],
        [`${kind} with another canvas`, webpOf(header(ALPHA, small), ...pictures)],
        [`${kind} with an orientation`, webpOf(header(EXIF | ALPHA), ...pictures, turned)],
        [`${kind} with an orientation in front`, webpOf(header(EXIF | ALPHA), turned, ...pictures)],
        [
          `${kind} with an unknown chunk`,
          webpOf(header(ALPHA), { type: 'ABCD', data: Buffer.alloc(9) }, ...pictures),
        ],
        [`${kind} with reserved flags`, webpOf(header(0xc1 | ALPHA), ...pictures)],
        [
          `animated ${kind} without a header of the animation`,
          webpOf(header(ANIMATION | ALPHA), frame(pictures)),
        ],
        [
          `animated ${kind} with the header behind`,
          webpOf(header(ANIMATION | ALPHA), frame(pictures), control),
        ],
        [`animated ${kind} with blending`, webpOf(header(ANIMATION), control, frame(pictures, { flags: 0 }))],
        [
          `animated ${kind} with all flags`,
          webpOf(header(ANIMATION), control, frame(pictures, { flags: 255 })),
        ],
        [
          `animated ${kind} on a larger canvas, without the flag`,
          webpOf(header(ANIMATION, { width: 60, height: 60 }), control, frame(pictures, { left: 4, top: 8 })),
        ],
        [
          `${kind} with trailing bytes`,
          Buffer.concat([webpOf(header(ALPHA), ...pictures), Buffer.alloc(64, 1)]),
        ],
        [`${kind}, then another picture`, webpOf(header(ALPHA), ...pictures, ...opaque)],
        [
          `a frame of ${kind}, then another picture in it`,
          webpOf(header(ANIMATION), control, frame([...pictures, ...opaque])),
        ],
        [`${kind} in a file for an animation`, webpOf(header(ANIMATION | ALPHA), control, ...pictures)],
        [`${kind} beside frames`, webpOf(header(ANIMATION | ALPHA), control, ...pictures, frame(opaque))],
        [`frames of ${kind} in a file for a still`, webpOf(header(ALPHA), control, frame(pictures))],
      ],
    ),
    ['transparency in front of a lossless picture', webpOf(header(ALPHA), alpha, ...lossless)],
    ['transparency behind the picture', webpOf(header(ALPHA), ...opaque, alpha)],
    ['two transparencies', webpOf(header(ALPHA), alpha, ...lossy)],
    ['transparency without a picture', webpOf(header(ALPHA), alpha)],
    ['no frames', webpOf(header(ANIMATION), control)],
    ['a frame outside of the canvas', webpOf(header(ANIMATION), control, frame(opaque, { left: 2 }))],
    ['a frame of another size', webpOf(header(ANIMATION), control, frame(opaque, small))],
    ...[0, 1, 2, 3].flatMap((compression) =>
      [0, 1, 2, 3].map((preprocessing): [string, Buffer] => {
        const data = Buffer.from(alpha.data);
        data[0] = ((data[0] ?? 0) & 0x0c) | compression | (preprocessing << 4);
        return [
          `transparency of kind ${compression}, ${preprocessing}`,
          webpOf(header(ALPHA), { type: 'ALPH', data }, ...opaque),
        ];
      }),
    ),
  ];
  return cells.map(([name, file]) => ({ name: `WebP: ${name}`, format: 'webp', file }));
}
