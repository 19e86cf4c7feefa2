/**
 * What Vitrine takes each code of ITU-T H.273 (tables 2 to 4) for. The names are ffmpeg's. Codes without a line are
 * unspecified, reserved or unknown, and are taken for what `readColour` says.
 */

/** How light becomes a signal: table 3. */
export type Transfer =
  /** The curve of BT.709, as browsers show it: like sRGB's. */
  | 'plain'
  /** High dynamic range. */
  | 'hdr'
  /** An expression of ffmpeg for the light, 0 to 1, of a signal `v`. */
  | { readonly light: string };

const TRANSFERS: Readonly<Record<string, Transfer>> = {
  /* 1 */ bt709: 'plain',
  /* 4 */ bt470m: { light: 'pow(v,2.2)' },
  /* 5 */ bt470bg: { light: 'pow(v,2.8)' },
  /* 6 */ smpte170m: 'plain',
  // A curve of cameras that is close to BT.709's.
  /* 7 */ smpte240m: 'plain',
  /* 8 */ linear: { light: 'v' },
  /* 9 */ log100: { light: 'if(gt(v,0),pow(10,2*(v-1)),0)' },
  /* 10 */ log316: { light: 'if(gt(v,0),pow(10,2.5*(v-1)),0)' },
  // The curves of 11 and 12 differ from BT.709's only beyond 0 and 1.
  /* 11 */ 'iec61966-2-4': 'plain',
  /* 12 */ bt1361e: 'plain',
  /* 13 */ 'iec61966-2-1': 'plain',
  /* 14 */ 'bt2020-10': 'plain',
  /* 15 */ 'bt2020-12': 'plain',
  /* 16 */ smpte2084: 'hdr',
  // White is at 48 of the 52.37 candela per square metre that the signal can express.
  /* 17 */ smpte428: { light: 'pow(v,2.6)*52.37/48' },
  /* 18 */ 'arib-std-b67': 'hdr',
};

/** The primaries that are converted: table 2. */
const PRIMARIES: ReadonlySet<string> = new Set([
  ...[/* 4 */ 'bt470m', /* 5 */ 'bt470bg', /* 6 */ 'smpte170m', /* 7 */ 'smpte240m', /* 8 */ 'film'],
  ...[/* 9 */ 'bt2020', /* 10 */ 'smpte428', /* 11 */ 'smpte431', /* 12 */ 'smpte432'],
  ...[/* 22, by two names */ 'ebu3213', 'jedec-p22'],
]);

/** A matrix by its name in the scale filter, or in zscale if only that one knows it. */
export type Matrix =
  | { readonly scale: string }
  | {
      readonly zscale: string;
      /** Whether its luma is that of light, not of signals. */
      readonly ofLight?: true;
    };

/** With what a matrix of zscale is defined; zscale finds no way for the rest. Absent: with everything. */
interface Definition {
  readonly isHdr?: boolean;
  /** Its only primaries in any case, by whatever name the tags call them. */
  readonly primaries?: string;
  /** Primaries from which it can't be derived. */
  readonly except?: string;
}

/** The matrices between RGB and YUV: table 4. */
const MATRICES: Readonly<Record<string, Matrix & Definition>> = {
  // RGB has no matrix. A YUV format with this code is wrong, and browsers show it as BT.709.
  /* 0 */ gbr: { scale: 'bt709' },
  /* 1 */ bt709: { scale: 'bt709' },
  /* 4 */ fcc: { scale: 'fcc' },
  /* 5 */ bt470bg: { scale: 'bt601' },
  /* 6 */ smpte170m: { scale: 'bt601' },
  /* 7 */ smpte240m: { scale: 'smpte240m' },
  /* 8 */ ycgco: { zscale: 'ycgco' },
  /* 9 */ bt2020nc: { scale: 'bt2020' },
  // Constant luminance (10, 13) has no definition in high dynamic range, where ICtCp takes its place (BT.2100).
  /* 10 */ bt2020c: { zscale: 'bt2020c', ofLight: true, isHdr: false },
  // 11, YDzDx of cinema masters in XYZ, has no line: no filter of ffmpeg reads it.
  // The luma of XYZ is Y, of which no colour differences can be derived.
  /* 12 */ 'chroma-derived-nc': { zscale: 'chroma-derived-nc', except: 'smpte428' },
  /* 13 */ 'chroma-derived-c': {
    zscale: 'chroma-derived-c',
    ofLight: true,
    isHdr: false,
    except: 'smpte428',
  },
  /* 14 */ ictcp: { zscale: 'ictcp', isHdr: true, primaries: 'bt2020' },
};

/** Videos with fewer lines are in BT.601 if they don't say otherwise, as browsers take them. */
const HIGH_DEFINITION_LINES = 720;

/** How a picture's samples are read. */
export interface Colour {
  readonly transfer: Transfer;
  /** The primaries, by ffmpeg's name. */
  readonly primaries: string;
  readonly matrix: Matrix;
  /** Null: the pixel format decides. */
  readonly range: 'tv' | 'pc' | null;
}

/** The tags of a video by ffprobe's names, and its stored lines. */
export interface ColourTags {
  readonly colour: {
    readonly matrix: string;
    readonly transfer: string;
    readonly primaries: string;
    readonly range: string;
  };
  readonly stored: { readonly height: number };
}

/**
 * Interprets the tags of a video: any four tags become a combination that `toBt709` converts. A transfer function without a
 * line is that of BT.709. Other primaries and matrices without a line are BT.2020's in HDR, and so are matrices that are not
 * defined with the rest. In SDR, such primaries are BT.709's, and the number of lines decides the matrix.
 */
export function readColour({ colour, stored }: ColourTags): Colour {
  const transfer = TRANSFERS[colour.transfer] ?? 'plain';
  const isHdr = transfer === 'hdr';
  const isNamed = PRIMARIES.has(colour.primaries) || colour.primaries === 'bt709';
  const primaries = isNamed ? colour.primaries : isHdr ? 'bt2020' : 'bt709';
  const guess = isHdr ? 'bt2020' : stored.height < HIGH_DEFINITION_LINES ? 'bt601' : 'bt709';
  const named = MATRICES[colour.matrix];
  const isDefined = named && (named.isHdr ?? isHdr) === isHdr && named.except !== primaries;
  return {
    transfer,
    primaries: (isDefined ? named.primaries : undefined) ?? primaries,
    matrix: isDefined ? named : { scale: guess },
    range: colour.range === 'tv' || colour.range === 'pc' ? colour.range : null,
  };
}

/**
 * The code of H.273 of the matrix of a video whose primaries and transfer function are BT.709's, if all browsers show it alike
 * once it is tagged so; else null. Some browsers ignore the tags of other primaries and transfer functions.
 */
export function matrixToTag(tags: ColourTags): 1 | 6 | null {
  const { transfer, primaries, matrix, range } = readColour(tags);
  if (transfer !== 'plain' || primaries !== 'bt709' || range === 'pc' || !('scale' in matrix)) return null;
  return matrix.scale === 'bt709' ? 1 : matrix.scale === 'bt601' ? 6 : null;
}
