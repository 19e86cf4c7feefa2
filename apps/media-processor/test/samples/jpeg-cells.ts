import sharp from 'sharp';
import { CELL, type CodedCell, quarterPixels, quartersOf } from './coded-cell';

interface Segment {
  readonly marker: number;
  readonly content: Buffer;
  /** The coded data of a scan. */
  readonly data: Buffer;
}

const [SOF0, SOF2, DHT, SOS, DQT, DNL, APP0, APP1, APP14] = [
  0xc0, 0xc2, 0xc4, 0xda, 0xdb, 0xdc, 0xe0, 0xe1, 0xee,
];

function parse(file: Buffer): Segment[] {
  const segments: Segment[] = [];
  for (let at = 2; file[at + 1] !== 0xd9;) {
    const [marker, end] = [file[at + 1] as number, at + 2 + file.readUInt16BE(at + 2)];
    let next = end;
    if (marker === SOS)
      while (file[next] !== 0xff || file[next + 1] === 0 || ((file[next + 1] ?? 0) & 0xf8) === 0xd0) next++;
    segments.push({ marker, content: file.subarray(at + 4, end), data: file.subarray(end, next) });
    at = next;
  }
  return segments;
}

const write = (segments: readonly Segment[], end = Buffer.from([0xff, 0xd9])): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...segments.flatMap(({ marker, content, data }) => {
      const length = content.length + 2;
      return [Buffer.from([0xff, marker, length >> 8, length & 255]), content, data];
    }),
    end,
  ]);

const segment = (marker: number, ...content: number[]): Segment => ({
  marker,
  content: Buffer.from(content),
  data: Buffer.alloc(0),
});
const adobe = (transform: number): Segment =>
  segment(APP14, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, transform);
const JFIF = segment(APP0, ...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0);
const orientation = (type: number, count: number, ...value: number[]): Segment =>
  segment(
    APP1,
    ...Buffer.from('Exif\0\0MM\0*'),
    0,
    0,
    0,
    8,
    0,
    1,
    1,
    18,
    0,
    type,
    0,
    0,
    0,
    count,
    ...value,
    0,
    0,
    0,
    0,
  );

const isFrame = ({ marker }: Segment): boolean => marker === SOF0 || marker === SOF2;
/** The same file with other bytes in some segments. */
const patch = (
  file: readonly Segment[],
  is: (one: Segment) => boolean,
  change: (content: Buffer) => void,
): Segment[] =>
  file.map((one) => {
    if (!is(one)) return one;
    const content = Buffer.from(one.content);
    change(content);
    return { ...one, content };
  });

/** The same file with other names of its components. */
const named = (file: readonly Segment[], ids: readonly number[]): Segment[] => {
  const before = [...(file.find(isFrame)?.content.subarray(6) ?? [])].filter((_, at) => at % 3 === 0);
  return file.map((one) => {
    const content = Buffer.from(one.content);
    if (isFrame(one)) ids.forEach((id, at) => content.writeUInt8(id, 6 + at * 3));
    if (one.marker === SOS)
      for (let at = 0; at < (content[0] ?? 0); at++)
        content[1 + at * 2] = ids[before.indexOf(content[1 + at * 2] ?? 0)] ?? 0;
    return { ...one, content };
  });
};

/** Quarters in inks, as a JPEG without a profile. */
async function inks(): Promise<Segment[]> {
  const { width, height } = CELL;
  const canvas = sharp({ create: { width, height, channels: 3, background: '#808080' } });
  const tiff = await canvas.toColourspace('cmyk').tiff({ compression: 'none' }).toBuffer();
  const pixels = quarterPixels(false);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [r = 0, g = 0, b = 0] = pixels.subarray(pixel * 4);
    // libvips writes the pixels behind the header of 8 bytes.
    tiff.set([255 - r, 255 - g, 255 - b, 20], 8 + pixel * 4);
  }
  const stored = sharp(tiff).pipelineColourspace('cmyk').toColourspace('cmyk');
  return parse(await stored.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer());
}

/** JPEG files with one peculiarity each. */
export async function jpegCells(): Promise<CodedCell[]> {
  const jpeg = async (options: sharp.JpegOptions): Promise<Segment[]> =>
    parse(
      await quartersOf(false)
        .jpeg({ quality: 95, ...options })
        .toBuffer(),
    ).filter(({ marker }) => marker !== APP0);
  const full = await jpeg({ chromaSubsampling: '4:4:4' });
  const half = await jpeg({ chromaSubsampling: '4:2:0' });
  const progressive = await jpeg({ progressive: true, chromaSubsampling: '4:4:4' });
  const fourInks = await inks();
  const grey = parse(await quartersOf(false).greyscale().jpeg().toBuffer()).filter(
    ({ marker }) => marker !== APP0,
  );
  const scans = progressive.filter(({ marker }) => marker === SOS);
  const without = (file: readonly Segment[], ...markers: number[]): Segment[] =>
    file.filter(({ marker }) => !markers.includes(marker));
  const dimension = (at: 1 | 3, value: number) => (content: Buffer) => void content.writeUInt16BE(value, at);
  const cells: [string, Buffer][] = [
    ...Object.entries({ full, half, progressive, grey, fourInks }).flatMap(
      ([kind, file]): [string, Buffer][] => {
        const ids =
          file === fourInks
            ? [
                [1, 2, 3, 4],
                [0x43, 0x4d, 0x59, 0x4b],
              ]
            : file === grey
              ? [[1], [7]]
              : [
                  [1, 2, 3],
                  [0x52, 0x47, 0x42],
                  [0, 1, 2],
                  [1, 34, 35],
                ];
        const bare = without(file, APP14);
        return [
          [`${kind}`, write(file)],
          ...ids.flatMap((own): [string, Buffer][] => [
            [`${kind}, components ${own.join()}`, write(named(bare, own))],
            [`${kind}, components ${own.join()}, JFIF`, write([JFIF, ...named(bare, own)])],
            ...[0, 1, 2, 3].flatMap((transform): [string, Buffer][] => [
              [
                `${kind}, components ${own.join()}, Adobe ${transform}`,
                write([adobe(transform), ...named(bare, own)]),
              ],
              [
                `${kind}, components ${own.join()}, JFIF, Adobe ${transform}`,
                write([JFIF, adobe(transform), ...named(bare, own)]),
              ],
            ]),
          ]),
          [`${kind}, two of Adobe`, write([adobe(0), adobe(1), ...bare])],
          [
            `${kind}, Adobe behind the frame`,
            write(bare.flatMap((one) => (isFrame(one) ? [one, adobe(0)] : [one]))),
          ],
          [`${kind}, Adobe behind the scans`, write([...bare, adobe(0)])],
          [`${kind}, JFIF behind the scans`, write([...bare, JFIF])],
          [
            `${kind}, junk between the segments`,
            Buffer.concat([write(bare).subarray(0, 2), Buffer.alloc(9, 7), write(bare).subarray(2)]),
          ],
          [`${kind}, height 0`, write(patch(bare, isFrame, dimension(1, 0)))],
          [
            `${kind}, height 0 and a line count`,
            write([...patch(bare, isFrame, dimension(1, 0)), segment(DNL, 0, CELL.height)]),
          ],
          [`${kind}, a line count`, write([...bare, segment(DNL, 0, 8)])],
          ...[8, 31, 33, 40, 64].map((height): [string, Buffer] => [
            `${kind}, height ${height}`,
            write(patch(bare, isFrame, dimension(1, height))),
          ]),
          ...[8, 47, 49, 56].map((width): [string, Buffer] => [
            `${kind}, width ${width}`,
            write(patch(bare, isFrame, dimension(3, width))),
          ]),
          ...[0, 2, 7, 9, 12, 16].map((bits): [string, Buffer] => [
            `${kind}, ${bits} bits`,
            write(patch(bare, isFrame, (content) => void content.writeUInt8(bits, 0))),
          ]),
          ...[0xc1, 0xc2, 0xc3, 0xc5, 0xc9, 0xca, 0xf7].map((marker): [string, Buffer] => [
            `${kind}, frame ${marker.toString(16)}`,
            write(bare.map((one) => (isFrame(one) ? { ...one, marker } : one))),
          ]),
          ...[0x12, 0x21, 0x13, 0x31, 0x44, 0x00, 0x51].map((sampling): [string, Buffer] => [
            `${kind}, sampling ${sampling.toString(16)}`,
            write(patch(bare, isFrame, (content) => void content.writeUInt8(sampling, 7))),
          ]),
          [`${kind}, no tables of quantisation`, write(without(bare, DQT))],
          [`${kind}, no tables of codes`, write(without(bare, DHT))],
          [`${kind}, two frames`, write(bare.flatMap((one) => (isFrame(one) ? [one, one] : [one])))],
          [`${kind}, no end`, write(bare, Buffer.alloc(0))],
          [`${kind}, half of the end`, write(bare, Buffer.from([0xff]))],
          [`${kind}, cut`, write(bare, Buffer.alloc(0)).subarray(0, -20)],
          [
            `${kind}, cut, with an end`,
            Buffer.concat([write(bare, Buffer.alloc(0)).subarray(0, -40), Buffer.from([0xff, 0xd9])]),
          ],
          [`${kind}, the last scan twice`, write([...bare, bare.at(-1) as Segment])],
          [`${kind}, without the last scan`, write(bare.slice(0, -1))],
          [
            `${kind}, 120 scans`,
            write([...bare, ...Array.from({ length: 120 }, () => bare.at(-1) as Segment)]),
          ],
          [
            `${kind}, other quantisation before the last scan`,
            write(
              bare.flatMap((one, at) =>
                at === bare.length - 1 ? [segment(DQT, 0, ...Buffer.alloc(64, 90)), one] : [one],
              ),
            ),
          ],
        ];
      },
    ),
    ['progressive, scans in another order', write([...without(progressive, SOS), ...[...scans].reverse()])],
    ['progressive, the first scan alone', write([...without(progressive, SOS), scans[0] as Segment])],
    ...[1, 2, 3, 4, 6, 7, 8, 9].flatMap((type) =>
      [1, 2].flatMap((count): [string, Buffer][] => [
        [
          `orientation of type ${type}, ${count} values, first byte`,
          write([orientation(type, count, 6, 0, 0, 0), ...full]),
        ],
        [
          `orientation of type ${type}, ${count} values, second byte`,
          write([orientation(type, count, 0, 6, 0, 0), ...full]),
        ],
        [
          `orientation of type ${type}, ${count} values, last byte`,
          write([orientation(type, count, 0, 0, 0, 6), ...full]),
        ],
      ]),
    ),
    ...[0, 2, 5, 8, 9, 255].map((value): [string, Buffer] => [
      `orientation ${value}`,
      write([orientation(3, 1, 0, value, 0, 0), ...full]),
    ]),
    ['two orientations', write([orientation(3, 1, 0, 6, 0, 0), orientation(3, 1, 0, 3, 0, 0), ...full])],
    ['an orientation behind the scans', write([...full, orientation(3, 1, 0, 6, 0, 0)])],
  ];
  return cells.map(([name, file]) => ({ name: `JPEG: ${name}`, format: 'jpeg', file }));
}
