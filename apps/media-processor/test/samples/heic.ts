/** One plane of coded tiles of equal size; a grid if there are several. */
export interface HeifTiles {
  /** `hvc1` or `av01`. */
  readonly codec: 'hvc1' | 'av01';
  /** The content of the decoder configuration box. */
  readonly configuration: Buffer;
  /** Coded pictures, row by row. */
  readonly tiles: readonly Buffer[];
  readonly columns: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
}

/** The parts of a HEIC or AVIF file besides the coded picture. */
export interface HeifOptions {
  readonly width: number;
  readonly height: number;
  /** The part of the picture that is shown, before it is turned (`clap`). */
  readonly crop?: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  /** Quarter turns counter-clockwise (`irot`). */
  readonly turns?: number;
  /** The mirror axis applied after that (`imir`): top and bottom, or left and right. */
  readonly mirror?: 'rows' | 'columns';
  /** An ICC profile (`colr`). */
  readonly profile?: Buffer;
  /** Code points of ITU-T H.273: primaries, transfer, matrix, and 1 for full range (`colr`). */
  readonly nclx?: readonly [primaries: number, transfer: number, matrix: number, fullRange: 0 | 1];
  /** The transparency, as one coded picture. */
  readonly alpha?: HeifTiles;
  /** Whether the colours are premultiplied with it (`prem`). */
  readonly isPremultiplied?: boolean;
  /** A gain map of Apple as one coded picture, and the brightest value that it makes, as a multiple of white. */
  readonly gainMap?: { readonly tiles: HeifTiles; readonly headroom: number };
  /** A gain map as one coded picture, and the logarithm of the factor of its value 255 (`tmap`). */
  readonly toneMap?: { readonly tiles: HeifTiles; readonly stops: number };
}

/** A box of ISO/IEC 14496-12. */
export function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(body.length + 8, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
}

export const u8 = (...values: number[]): Buffer => Buffer.from(values);
export const u16 = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => u8(value >> 8, value & 0xff)));
export const u32 = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => u16(Math.floor(value / 65_536), value % 65_536)));
export const text = (value: string): Buffer => Buffer.from(value, 'latin1');

/** The body of the first box of a type, found by its name, which is enough for synthetic files. */
export function bodyOf(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 0, 'latin1');
  if (at < 4) throw new Error(`No ${type}`);
  return file.subarray(at + 4, at - 4 + file.readUInt32BE(at - 4));
}

/** The one HEVC frame of an MP4 (`hvc1`, as ffmpeg writes it), `count` times. */
export const tilesOfMp4 = (
  mp4: Buffer,
  size: Pick<HeifTiles, 'tileWidth' | 'tileHeight'>,
  { count = 1, columns = 1 } = {},
): HeifTiles => ({
  ...size,
  columns,
  codec: 'hvc1',
  configuration: bodyOf(mp4, 'hvcC'),
  tiles: Array.from({ length: count }, () => bodyOf(mp4, 'mdat')),
});

/** The picture of an AVIF that sharp has written. */
export const tilesOfAvif = (avif: Buffer, size: Pick<HeifTiles, 'tileWidth' | 'tileHeight'>): HeifTiles => ({
  ...size,
  columns: 1,
  codec: 'av01',
  configuration: bodyOf(avif, 'av1C'),
  tiles: [bodyOf(avif, 'mdat')],
});

/** Wraps the one HEVC frame of an MP4 as the primary picture of a HEIC file. */
export const makeHeic = (mp4: Buffer, options: HeifOptions): Buffer =>
  makeHeif(tilesOfMp4(mp4, { tileWidth: options.width, tileHeight: options.height }), options);

/** An item of a file, with the boxes of its properties. */
export interface SampleItem {
  readonly type: string;
  readonly bytes: Buffer;
  readonly properties: readonly Buffer[];
  readonly isHidden: boolean;
  readonly mediaType?: string;
}

const APPLE_GAIN_MAP = 'urn:com:apple:photo:2020:aux:hdrgainmap\0';

/** XMP as iPhones write it for a gain map. */
const gainMapXmp = (headroom: number): string =>
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  '<rdf:Description xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" ' +
  `HDRGainMap:HDRGainMapVersion="131072" HDRGainMap:HDRGainMapHeadroom="${headroom}"/></rdf:RDF></x:xmpmeta>`;

/**
 * Writes a HEIC or AVIF (ISO/IEC 23008-12) around coded pictures. There is no encoder for HEIC, and an encoder would
 * add nothing else. Item 1 is the primary picture.
 */
export function makeHeif(tiles: HeifTiles, options: HeifOptions): Buffer {
  const isGrid = tiles.tiles.length > 1;
  const shown = shownProperties(options);
  const coded = (plane: HeifTiles, bytes: Buffer, properties: readonly Buffer[]): SampleItem => ({
    type: plane.codec,
    bytes,
    properties: [
      box(plane.codec === 'hvc1' ? 'hvcC' : 'av1C', plane.configuration),
      box('ispe', u32(0, plane.tileWidth, plane.tileHeight)),
      ...properties,
    ],
    isHidden: properties !== shown,
  });
  const rows = tiles.tiles.length / tiles.columns;
  const grid = Buffer.concat([u8(0, 1, rows - 1, tiles.columns - 1), u32(options.width, options.height)]);
  const whole = box('ispe', u32(0, options.width, options.height));
  const parts = isGrid ? tiles.tiles.map((bytes) => coded(tiles, bytes, [])) : [];
  const items: SampleItem[] = [
    isGrid
      ? { type: 'grid', bytes: grid, properties: [whole, ...shown], isHidden: false }
      : coded(tiles, tiles.tiles[0] as Buffer, shown),
    ...parts,
  ];
  const references = isGrid
    ? [box('dimg', u16(1, parts.length), ...parts.map((_, index) => u16(index + 2)))]
    : [];
  const turned = shownProperties({ ...options, profile: undefined, nclx: undefined });
  if (options.alpha) {
    const role = box('auxC', u32(0), text('urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0'));
    items.push(coded(options.alpha, options.alpha.tiles[0] as Buffer, [role, ...turned]));
    references.push(box('auxl', u16(items.length, 1, 1)));
    if (options.isPremultiplied) references.push(box('prem', u16(1, 1, items.length)));
  }
  if (options.gainMap) {
    const { tiles: map, headroom } = options.gainMap;
    items.push(coded(map, map.tiles[0] as Buffer, [box('auxC', u32(0), text(APPLE_GAIN_MAP)), ...turned]));
    references.push(box('auxl', u16(items.length, 1, 1)));
    const [type, mediaType, bytes] = ['mime', 'application/rdf+xml', text(gainMapXmp(headroom))];
    items.push({ type, mediaType, bytes, properties: [], isHidden: false });
    references.push(box('cdsc', u16(items.length, 1, items.length - 1)));
  }
  if (options.toneMap) {
    const { tiles: map, stops } = options.toneMap;
    items.push(coded(map, map.tiles[0] as Buffer, turned));
    const numbers = u32(0, 1, stops, 1, 0, 1, stops, 1, 1, 1, 0, 1, 0, 1);
    items.push({
      type: 'tmap',
      bytes: Buffer.concat([u8(0, 0, 0, 0, 0, 0x40), numbers]),
      properties: [whole],
      isHidden: false,
    });
    references.push(box('dimg', u16(items.length, 2, 1, items.length - 1)));
  }
  return writeHeif(tiles.codec === 'hvc1' ? 'heic' : 'avif', items, references);
}

function shownProperties({
  width: wholeWidth,
  height: wholeHeight,
  crop,
  turns = 0,
  mirror,
  profile,
  nclx,
}: Omit<HeifOptions, 'alpha' | 'gainMap' | 'toneMap'> & {
  profile?: Buffer | undefined;
}): Buffer[] {
  return [
    ...(profile ? [box('colr', text('prof'), profile)] : []),
    ...(nclx ? [box('colr', text('nclx'), u16(nclx[0], nclx[1], nclx[2]), u8(nclx[3] << 7))] : []),
    ...(crop ? [cleanAperture(crop, wholeWidth, wholeHeight)] : []),
    ...(turns ? [box('irot', u8(turns))] : []),
    ...(mirror ? [box('imir', u8(mirror === 'rows' ? 0 : 1))] : []),
  ];
}

/** The size of the crop, and the distance of its centre from that of the picture, as fractions. */
function cleanAperture(
  crop: NonNullable<HeifOptions['crop']>,
  wholeWidth: number,
  wholeHeight: number,
): Buffer {
  const { left, top, width, height } = crop;
  const [right, down] = [2 * left + width - wholeWidth, 2 * top + height - wholeHeight];
  return box('clap', u32(width, 1, height, 1, right >>> 0, 2, down >>> 0, 2));
}

/** A HEIC or AVIF of these items, the first of which is the primary picture. */
export function writeHeif(
  brand: string,
  items: readonly SampleItem[],
  references: readonly Buffer[],
): Buffer {
  const properties = items.flatMap((item) => item.properties);
  let next = 1;
  const links = items.map((item, index) =>
    Buffer.concat([u16(index + 1), u8(item.properties.length), ...item.properties.map(() => u16(next++))]),
  );
  const infos = items.map(({ type, isHidden, mediaType }, index) =>
    box(
      'infe',
      u32(0x02000000 + (isHidden ? 1 : 0)),
      u16(index + 1, 0),
      text(`${type}\0${mediaType ? `${mediaType}\0` : ''}`),
    ),
  );
  const meta = (start: number): Buffer => {
    let at = start;
    const places = items.map(({ bytes }, index) => {
      const place = Buffer.concat([u16(index + 1, 0, 1), u32(at, bytes.length)]);
      at += bytes.length;
      return place;
    });
    return box(
      'meta',
      u32(0),
      box('hdlr', u32(0, 0), text('pict'), u32(0, 0, 0), u8(0)),
      box('pitm', u32(0), u16(1)),
      box('iloc', u32(0), u8(0x44, 0), u16(items.length), ...places),
      box('iinf', u32(0), u16(items.length), ...infos),
      ...(references.length > 0 ? [box('iref', u32(0), ...references)] : []),
      box('iprp', box('ipco', ...properties), box('ipma', u32(1, items.length), ...links)),
    );
  };
  const ftyp = box('ftyp', text(brand), u32(0), text(`mif1${brand}`));
  const offset = ftyp.length + meta(0).length + 8;
  return Buffer.concat([ftyp, meta(offset), box('mdat', ...items.map(({ bytes }) => bytes))]);
}
