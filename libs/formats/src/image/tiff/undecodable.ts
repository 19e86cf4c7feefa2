import { UnsupportedVariantError } from '../../errors/file-errors';
import type { Directory, TiffReader } from './directory';
import * as tags from './tags';

/** Photometric interpretations (TIFF 6.0, section 8 and part 3). */
const [WHITE_IS_ZERO, BLACK_IS_ZERO, RGB, PALETTE, SEPARATED, YCBCR, LAB] = [0, 1, 2, 3, 5, 6, 8];
const [ICC_LAB, ITU_LAB] = [9, 10];
const SEPARATE_PLANES = 2;
/** Sample formats. */
const FLOAT = 3;
const COMPLEX = [5, 6];
const FLOAT_BITS = 32;
/** Depths that are read in pictures of one channel only. */
const SMALL_DEPTHS = [1, 2, 4];
/** With more channels, libvips has no place for the others. */
const MAX_CHANNELS = 5;
const MAX_SAMPLES = 64;

/** What libvips reads of a photometric interpretation. */
interface Layout {
  readonly name: string;
  readonly channels: readonly [least: number, most: number];
  readonly depths: readonly number[];
  readonly isFloat?: boolean;
}

const GREY: Layout = { name: 'grey', channels: [1, MAX_CHANNELS], depths: [8, 16], isFloat: true };
const LAYOUTS: Readonly<Record<number, Layout>> = {
  [WHITE_IS_ZERO]: GREY,
  [BLACK_IS_ZERO]: GREY,
  [RGB]: { name: 'RGB', channels: [3, MAX_CHANNELS], depths: [8, 16], isFloat: true },
  [PALETTE]: { name: 'a palette', channels: [1, 2], depths: [8] },
  [SEPARATED]: { name: 'CMYK', channels: [4, MAX_CHANNELS], depths: [8, 16] },
  [YCBCR]: { name: 'YCbCr', channels: [3, 3], depths: [8] },
  [LAB]: { name: 'Lab colours', channels: [3, MAX_CHANNELS], depths: [16] },
};

/** Compressions that libtiff reads here: of any picture, of two colours, and of 8 bits. */
const ANY_COMPRESSION = [1, 5, 8, 32773, 32946];
const FAX_COMPRESSIONS = [2, 3, 4, 32771];
const [JPEG, WEBP] = [7, 50001];
const NAMES: Readonly<Record<number, string>> = {
  // It hides previews, too.
  6: 'the obsolete JPEG compression',
  9: 'JBIG compression',
  10: 'JBIG compression',
  34661: 'JBIG compression',
  34712: 'JPEG 2000 compression',
  34887: 'LERC compression',
  34925: 'LZMA compression',
  50000: 'Zstandard compression',
};

interface Samples {
  readonly photometric: number;
  readonly channels: number;
  readonly bits: number;
  readonly format: number;
}

/** Why no decoder here can show a page, as a sentence for the uploader; null if one can. */
async function whyUndecodable(reader: TiffReader, page: Directory): Promise<string | null> {
  const photometric = await reader.number(page, tags.PHOTOMETRIC, -1);
  if (photometric === -1) return 'TIFF without a photometric interpretation is not supported.';
  const [depths, formats] = [
    await numbersOf(reader, page, tags.BITS_PER_SAMPLE),
    await numbersOf(reader, page, tags.SAMPLE_FORMAT),
  ];
  if (new Set(depths).size > 1 || new Set(formats).size > 1)
    return 'TIFF with channels of different depths is not supported.';
  const samples = {
    photometric,
    channels: await reader.number(page, tags.SAMPLES_PER_PIXEL, 1),
    bits: depths[0] ?? 1,
    format: formats[0] ?? 1,
  };
  const isTiled = page.entries.has(tags.TILE_OFFSETS);
  const isSeparate = (await reader.number(page, tags.PLANAR_CONFIGURATION, 1)) === SEPARATE_PLANES;
  return (
    whyNotSamples(samples) ??
    whyNotCompression(await reader.number(page, tags.COMPRESSION, 1), samples) ??
    (isSeparate && isTiled ? 'TIFF with tiles in separate planes is not supported.' : null) ??
    (isSeparate && photometric === YCBCR ? 'TIFF with YCbCr in separate planes is not supported.' : null)
  );
}

function whyNotSamples({ photometric, channels, bits, format }: Samples): string | null {
  const layout = LAYOUTS[photometric];
  if (photometric === ICC_LAB || photometric === ITU_LAB || (photometric === LAB && bits <= 8))
    return 'TIFF in Lab colours is not supported.';
  if (!layout) return `TIFF with the photometric interpretation ${photometric} is not supported.`;
  if (COMPLEX.includes(format)) return 'TIFF with complex numbers is not supported.';
  const isFloat = format === FLOAT;
  if (isFloat && (bits !== FLOAT_BITS || !layout.isFloat))
    return `TIFF with ${bits}-bit floating point is not supported.`;
  if (!isFloat && bits >= FLOAT_BITS) return `TIFF with ${bits}-bit integers is not supported.`;
  const isSmall =
    channels === 1 && SMALL_DEPTHS.includes(bits) && (layout === GREY || photometric === PALETTE);
  if (!isFloat && !isSmall && !layout.depths.includes(bits))
    return `TIFF with ${bits} bits in each of ${channels} channels is not supported.`;
  const [least, most] = layout.channels;
  if (channels < least || channels > most)
    return `TIFF in ${layout.name} with ${channels} channels is not supported.`;
  return null;
}

function whyNotCompression(compression: number, { photometric, channels, bits }: Samples): string | null {
  const isPlain = channels <= 4 && bits === 8;
  const isRead =
    ANY_COMPRESSION.includes(compression) ||
    (FAX_COMPRESSIONS.includes(compression) && channels === 1 && bits === 1) ||
    (compression === JPEG && isPlain && photometric !== PALETTE && photometric !== LAB) ||
    (compression === WEBP && isPlain && photometric === RGB);
  const name = NAMES[compression] ?? `the compression ${compression}`;
  return isRead ? null : `TIFF with ${name} is not supported.`;
}

async function numbersOf(reader: TiffReader, page: Directory, tag: number): Promise<number[]> {
  const entry = page.entries.get(tag);
  if (!entry) return [];
  return entry.count > MAX_SAMPLES ? [NaN, 0] : reader.numbers(entry);
}

/** The pages that can be shown. @throws UnsupportedVariantError if the first can't be. */
export async function decodablePages(reader: TiffReader, pages: readonly Directory[]): Promise<Directory[]> {
  const shown: Directory[] = [];
  for (const [index, page] of pages.entries()) {
    const why = await whyUndecodable(reader, page);
    if (why === null) shown.push(page);
    else if (index === 0) throw new UnsupportedVariantError(why);
  }
  return shown;
}
