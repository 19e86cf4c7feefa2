import { asciiBytes } from '../bytes/text';
import { UnsupportedVariantError } from '../errors/file-errors';
import type { JpegFrame } from './jpeg-structure';

const NAME = 'Adobe';
const LENGTH = 12;
const TRANSFORM_AT = LENGTH - 1;
/** How the channels are coded, by Adobe's segment. */
const [PLAIN, YCC, YCCK] = [0, 1, 2];
/** Names of components by which some programs recognise colours. */
const RGB = [0x52, 0x47, 0x42].join();

/**
 * Adobe's segment as all programs read it together with the frame; null if there is none, or it must go. Programs guess
 * the meaning of channels by it, by JFIF and by the names of the components, and not all in the same way.
 */
export function adobeSegment(
  { components }: Pick<JpegFrame, 'components'>,
  { hasJfif, adobe }: { readonly hasJfif: boolean; readonly adobe: Uint8Array | undefined },
): Uint8Array | null {
  const transform = adobe?.[TRANSFORM_AT];
  // libjpeg and browsers take four channels for inverted inks, others only with this segment.
  if (components.length === 4)
    return withTransform(adobe, transform === undefined || transform === PLAIN ? PLAIN : YCCK);
  if (components.length !== 3) return adobe ?? null;
  const isNamedRgb = components.map(({ id }) => id).join() === RGB;
  if (hasJfif) {
    if (isNamedRgb)
      throw new UnsupportedVariantError('JPEG with channels named RGB in a JFIF file is not supported.');
    return transform === YCC ? (adobe ?? null) : null;
  }
  if (transform === undefined) return isNamedRgb ? withTransform(adobe, PLAIN) : null;
  return withTransform(adobe, transform === PLAIN ? PLAIN : YCC);
}

function withTransform(adobe: Uint8Array | undefined, transform: number): Uint8Array {
  if (adobe?.[TRANSFORM_AT] === transform) return adobe;
  const segment = new Uint8Array(LENGTH);
  segment.set(adobe ?? [...asciiBytes(NAME), 0, 100]);
  segment[TRANSFORM_AT] = transform;
  return segment;
}
