import type { Dimensions } from '../pixels/variant-plan';
import { readColour, type Colour, type ColourTags } from './colour-tags';

/** Options of an encoder that name BT.709 in its stream. */
export const BT709_STREAM = [
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
] as const;

export const BT709 = 'setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv';

/** The filters after a conversion to BT.709: 8 bits, 4:2:0, and tagged. */
export const BT709_SAMPLES = `format=yuv420p,${BT709}`;

/** The tags of every rendition that Vitrine encodes. */
export const RENDITION: ColourTags = {
  colour: { matrix: 'bt709', transfer: 'bt709', primaries: 'bt709', range: 'tv' },
  stored: { height: 0 },
};

/** Candela per square metre of a white page in HDR (ITU-R BT.2408). */
const DIFFUSE_WHITE = 203;
/** The brightest highlight that keeps its detail, as a multiple of that: about 1,000 cd/m², as phones master. */
const PEAK = 5;

/** The filters that convert a rendition with these tags to RGB; `size` is width and height, as the scale filter takes them. */
export const renditionToRgb = (tags: ColourTags, size: string): string =>
  `scale=${size}${inputOf(readColour(tags))},format=rgb24`;

/**
 * Filters that convert a picture to the given size and to 8-bit BT.709, and tag it. Scaling comes first and in
 * integers: the filters after it work on pixels of 12 bytes, and on no more of them than the largest rendition has. Dolby
 * Vision of profile 5 has no compatible base layer, so its colours are wrong; phones don't record it.
 */
export function toBt709(tags: ColourTags, size: Dimensions): string[] {
  const colour = readColour(tags);
  const scale = `scale=${size.width}:${size.height}${inputOf(colour)}`;
  const isPlain = colour.transfer === 'plain' && colour.primaries === 'bt709';
  if (isPlain && 'scale' in colour.matrix) {
    return [`${scale}:out_color_matrix=bt709:out_range=tv`, BT709_SAMPLES];
  }
  return [
    ...tagged(scale, colour, tags.colour.transfer),
    ...(colour.transfer === 'hdr' ? toneMapping() : inRgb(colour)),
    // Colours beyond BT.709 have negative components. They become zero here, as RGB, because builds of zimg differ in the
    // negative values that the transfer function gives.
    ...['format=gbrp10le', 'scale=out_color_matrix=bt709:out_range=tv', BT709_SAMPLES],
  ];
}

/** Options of the scale filter that read a picture's samples. */
const inputOf = ({ matrix, range }: Colour): string =>
  `:in_color_matrix=${'scale' in matrix ? matrix.scale : 'bt709'}${range ? `:in_range=${range}` : ''}`;

/**
 * Scales, and sets all tags of the frame: zscale finds no way from a named colour space to the unnamed one that a frame
 * without tags would keep. The scale filter converts nothing if it is told twice the same matrix, so a matrix that only
 * zscale knows stays.
 */
function tagged(scale: string, { matrix, transfer, primaries }: Colour, hdrTransfer: string): string[] {
  const [converted, tag] =
    'scale' in matrix ? [':out_color_matrix=bt2020', 'bt2020nc'] : [':out_color_matrix=bt709', matrix.zscale];
  return [
    `${scale}${converted}:out_range=tv`,
    'format=yuv420p10le',
    `setparams=colorspace=${tag}:color_primaries=${primaries}:color_trc=${transfer === 'hdr' ? hdrTransfer : 'bt709'}:range=tv`,
  ];
}

const toneMapping = (): string[] => [
  `zscale=t=linear:npl=${DIFFUSE_WHITE}`,
  ...['format=gbrpf32le', 'zscale=p=709', `tonemap=mobius:desat=0:peak=${PEAK}`, 'zscale=t=709'],
];

function inRgb({ transfer, primaries, matrix }: Colour): string[] {
  return [
    ...('ofLight' in matrix ? ofLight() : ['zscale=m=gbr:r=full', 'format=gbrp12le']),
    ...(typeof transfer === 'object' ? [curve(transfer.light, SRGB)] : []),
    ...(primaries === 'bt709' ? [] : ['zscale=p=709']),
  ];
}

/** zscale takes the light of such a luma for that of the scene, but would give it the curve of a screen. */
const ofLight = (): string[] => [
  ...[
    'zscale=m=gbr:r=full:t=linear',
    'format=gbrp16le',
    curve('v', 'if(lt(v,0.018),4.5*v,1.099*pow(v,0.45)-0.099)'),
  ],
  'setparams=color_trc=bt709',
];

/** sRGB's curve, as browsers show BT.709. */
const SRGB = 'if(lte(v,0.0031308),12.92*v,1.055*pow(v,1/2.4)-0.055)';

/** Converts signals: `light` and `signal` are expressions of `v`, from 0 to 1. */
function curve(light: string, signal: string): string {
  const [read, written] = [light, signal].map((text) => text.replaceAll(/\bv\b/g, 'ld(0)'));
  const value = `st(0,val/maxval);st(0,clip(${read},0,1));maxval*${written}`;
  return `lutrgb=r='${value}':g='${value}':b='${value}'`;
}
