import { deflateSync } from 'node:zlib';
import { type Orientation, orientationExif } from '@vitrine/formats';
import { END, file, header, palette, rows, u16, u32, type Part, type PngShape } from './png-builder';
import { legitimate, neighbours, RASTER_EDGE, type Pair, type RasterCell } from './raster-cell';

interface Control {
  readonly number?: number;
  readonly width?: number;
  readonly height?: number;
  readonly left?: number;
  readonly top?: number;
  readonly dispose?: number;
  readonly blend?: number;
}

const control = ({
  number = 0,
  width = RASTER_EDGE,
  height = RASTER_EDGE,
  left = 0,
  top = 0,
  dispose = 0,
  blend = 0,
}: Control): Buffer =>
  Buffer.concat([u32(number, width, height, left, top), u16(1, 10), Buffer.of(dispose, blend)]);

/** Pixels that differ from frame to frame. */
const pixels = (shape: PngShape, frame: number, width = RASTER_EDGE, height = RASTER_EDGE): Buffer => {
  const most = 2 ** shape.depth - 1;
  const sample = (x: number, y: number, channel: number): number =>
    shape.type === 3
      ? (x + frame * 5 + y) & most
      : channel === 3
        ? ([0, most >> 1, most][(x + frame) % 3] ?? 0)
        : Math.round((((x * (channel + 1) + frame * 6 + y) % 16) / 15) * most);
  return deflateSync(rows({ ...shape, width, height, sample }));
};

interface Options {
  readonly shape?: PngShape;
  /** Changes the control of a frame. */
  readonly controls?: readonly Control[];
  readonly count?: number;
  /** Whether the default picture is not part of the animation. */
  readonly isApart?: boolean;
}

/** An animation of three frames: whole, in the middle, whole. */
export function animation({
  shape = { type: 6, depth: 8 },
  controls = [],
  count = 3,
  isApart = false,
}: Options): Part[] {
  const areas: Control[] = [{}, { left: 4, top: 4, width: 8, height: 8 }, {}];
  const out: Part[] = [
    ['IHDR', header(shape)],
    ['acTL', u32(count, 0)],
    ...(shape.type === 3 ? ([['PLTE', palette(2 ** shape.depth)]] as const) : []),
  ];
  if (isApart) out.push(['IDAT', pixels(shape, 7)]);
  let number = 0;
  for (const [frame, area] of areas.entries()) {
    const changed = { ...area, number: number++, ...controls[frame] };
    out.push(['fcTL', control(changed)]);
    const data = pixels(shape, frame, area.width, area.height);
    if (frame === 0 && !isApart) out.push(['IDAT', data]);
    else out.push(['fdAT', Buffer.concat([u32(number++), data])]);
  }
  return [...out, END];
}

const SHAPES: readonly PngShape[] = [
  { type: 0, depth: 8 },
  { type: 0, depth: 1 },
  { type: 2, depth: 8 },
  { type: 2, depth: 16 },
  { type: 3, depth: 8 },
  { type: 3, depth: 4 },
  { type: 4, depth: 8 },
  { type: 6, depth: 8 },
  { type: 6, depth: 16 },
  { type: 6, depth: 8, interlaced: true },
];

function valid(): RasterCell[] {
  const some: Pair[] = [];
  for (const shape of SHAPES)
    for (const isApart of [false, true])
      for (const dispose of [0, 1, 2])
        for (const blend of [0, 1])
          some.push([
            `animation of type ${shape.type}, ${shape.depth} bits${shape.interlaced ? ', interlaced' : ''}, dispose ${dispose}, blend ${blend}${isApart ? ', apart' : ''}`,
            file(
              animation({
                shape,
                isApart,
                controls: [
                  { dispose, blend },
                  { dispose, blend },
                  { dispose, blend },
                ],
              }),
            ),
          ]);
  return legitimate('png', some);
}

function fields(): RasterCell[] {
  const some: Pair[] = [];
  const values: Readonly<Record<keyof Control, readonly number[]>> = {
    number: [0, 1, 2, 3, 7, 0xffffffff],
    width: [0, 1, 15, 17, 0x80000000, 0xffffffff],
    height: [0, 1, 15, 17, 0x80000000, 0xffffffff],
    left: [1, 8, 9, 16, 0x7fffffff, 0xfffffff0],
    top: [1, 8, 9, 16, 0x7fffffff, 0xfffffff0],
    dispose: [3, 4, 255],
    blend: [2, 3, 255],
  };
  for (const [field, all] of Object.entries(values))
    for (const value of all)
      for (const frame of [0, 1, 2])
        for (const isApart of [false, true]) {
          const controls: Control[] = [{}, {}, {}];
          controls[frame] = { [field]: value };
          some.push([
            `animation whose frame ${frame} has ${field} ${value}${isApart ? ', apart' : ''}`,
            file(animation({ controls, isApart })),
          ]);
        }
  for (const count of [0, 1, 2, 4, 100, 0x7fffffff, 0xffffffff])
    for (const isApart of [false, true])
      some.push([
        `animation that counts ${count} frames${isApart ? ', apart' : ''}`,
        file(animation({ count, isApart })),
      ]);
  return neighbours('png', some);
}

/** Chunks that are missing, doubled, moved, damaged, too long or too short. */
function chunks(): RasterCell[] {
  const some: Pair[] = [];
  for (const isApart of [false, true])
    for (const shape of [
      { type: 6, depth: 8 },
      { type: 3, depth: 8 },
    ] as const) {
      const whole = animation({ shape, isApart });
      const add = (name: string, all: readonly Part[]): void =>
        void some.push([`animation of type ${shape.type}${isApart ? ', apart' : ''}, ${name}`, file(all)]);
      for (const [index, part] of whole.entries()) {
        const [type, data] = part;
        const others = whole.filter((one) => one !== part);
        const label = `part ${index} (${type})`;
        const put = (...by: readonly Part[]): Part[] => whole.flatMap((one) => (one === part ? by : [one]));
        add(`${label} missing`, others);
        add(`${label} doubled`, put(part, part));
        add(`${label} with a wrong checksum`, put([type, data, 'checksum']));
        add(`${label} too long`, put([type, Buffer.concat([data, Buffer.of(0)])]));
        add(`${label} too short`, put([type, data.subarray(0, -1)]));
        add(`${label} without its first byte`, put([type, data.subarray(1)]));
        add(`${label} empty`, put([type, Buffer.alloc(0)]));
        add(`${label} first after the header`, [whole[0] as Part, part, ...others.slice(1)]);
        add(`${label} last`, [...others.slice(0, -1), part, END]);
        if (type === 'fdAT') {
          add(
            `${label} in two, out of order`,
            put(
              ['fdAT', Buffer.concat([u32(9), data.subarray(4, 12)])],
              ['fdAT', Buffer.concat([data.subarray(0, 4), data.subarray(12)])],
            ),
          );
          add(`${label} followed by other bytes`, put([type, Buffer.concat([data, Buffer.alloc(30, 9)])]));
          add(
            `${label} of too many rows`,
            put([type, Buffer.concat([data.subarray(0, 4), pixels(shape, 3, 16, 20)])]),
          );
          add(
            `${label} of too few rows`,
            put([type, Buffer.concat([data.subarray(0, 4), pixels(shape, 3, 8, 4)])]),
          );
        }
      }
      add('of only one frame', [...whole.slice(0, isApart ? 6 : 5), END]);
      const late: Part = ['tRNS', shape.type === 3 ? Buffer.alloc(60) : Buffer.alloc(6)];
      add('with late transparency', [...whole.slice(0, -1), late, END]);
      add(
        'with short palette',
        whole.map((one): Part => (one[0] === 'PLTE' ? ['PLTE', palette(6)] : one)),
      );
      add(
        'with short palette in later frames only',
        whole.map((one): Part => (one[0] === 'PLTE' ? ['PLTE', palette(40)] : one)),
      );
    }
  return neighbours('png', some);
}

/** Every orientation, which browsers apply to the canvas, with a frame of a part of it. */
function turned(): RasterCell[] {
  const some = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((orientation) =>
    [false, true].map((isApart): Pair => {
      const [head, ...others] = animation({ isApart });
      const exif: Part = ['eXIf', Buffer.from(orientationExif(orientation as Orientation))];
      return [
        `animation turned ${orientation}${isApart ? ', apart' : ''}`,
        file([head as Part, exif, ...others]),
      ];
    }),
  );
  return legitimate('png', some);
}

/** Animated PNG. */
export const apngCells = (): RasterCell[] => [...valid(), ...turned(), ...fields(), ...chunks()];
