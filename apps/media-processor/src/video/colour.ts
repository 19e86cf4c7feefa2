import type { Dimensions } from '../pixels/variant-plan';
import type { VideoFacts } from './probe';
import { isWideRange } from './rendition-plan';

/** Options of an encoder that name BT.709 in its stream. */
export const BT709_STREAM = [
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
] as const;

export const BT709 = 'setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv';

/** The filters after a conversion to BT.709: 8 bits, 4:2:0, and tagged. */
export const BT709_SAMPLES = `format=yuv420p,${BT709}`;

/** Primaries that differ from BT.709's, by their names in zimg. */
const PRIMARIES: Readonly<Record<string, string>> = {
  bt470bg: '470bg',
  smpte170m: '170m',
  smpte240m: '240m',
  bt2020: '2020',
  smpte431: 'smpte431',
  smpte432: 'smpte432',
};

/** Candela per square metre of a white page in HDR (ITU-R BT.2408). */
const DIFFUSE_WHITE = 203;
/** The brightest highlight that keeps its detail, as a multiple of that: about 1,000 cd/m², as phones master. */
const PEAK = 5;

/**
 * Filters that convert a picture to the given size and to 8-bit BT.709, and tag it. Scaling comes first and in
 * integers: the filters after it work on pixels of 12 bytes, and on no more of them than the largest rendition has.
 */
export function toBt709(facts: VideoFacts, size: Dimensions): string[] {
  const scale = `scale=${size.width}:${size.height}`;
  const input = `in_color_matrix=${matrixOf(facts)}${rangeOf(facts)}`;
  if (isWideRange(facts)) {
    return [
      `${scale}:${input}:out_color_matrix=bt2020:out_range=tv`,
      'format=yuv420p10le',
      `zscale=tin=${facts.colour.transfer}:pin=${PRIMARIES[facts.colour.primaries] ?? '2020'}:min=2020_ncl:rin=limited:t=linear:npl=${DIFFUSE_WHITE}`,
      ...['format=gbrpf32le', 'zscale=p=709', `tonemap=mobius:desat=0:peak=${PEAK}`],
      ...['zscale=t=709:m=709:r=limited', 'format=yuv420p', BT709],
    ];
  }
  const primaries = PRIMARIES[facts.colour.primaries];
  return [
    `${scale}:${input}:out_color_matrix=bt709:out_range=tv`,
    ...(primaries
      ? [
          'format=yuv420p10le',
          `zscale=pin=${primaries}:tin=709:min=709:rin=limited:p=709:t=709:m=709:r=limited`,
        ]
      : []),
    ...['format=yuv420p', BT709],
  ];
}

/**
 * The matrix that converted the source's RGB to YUV. If the file doesn't give it, players guess it from the height.
 */
function matrixOf(facts: VideoFacts): string {
  const { colour, stored } = facts;
  switch (colour.matrix) {
    case 'bt709':
    case 'fcc':
    case 'smpte240m':
      return colour.matrix;
    case 'smpte170m':
    case 'bt470bg':
      return 'bt601';
    case 'bt2020nc':
    case 'bt2020c':
      return 'bt2020';
    case 'gbr':
      return 'auto';
    default:
      if (isWideRange(facts)) return 'bt2020';
      return stored.height >= 720 ? 'bt709' : 'bt601';
  }
}

/** If the file doesn't give the range, the pixel format does. */
function rangeOf({ colour }: VideoFacts): string {
  return colour.range === 'pc' || colour.range === 'tv' ? `:in_range=${colour.range}` : '';
}
