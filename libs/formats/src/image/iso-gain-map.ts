import { concatBytes } from '../bytes/arrays';
import { Cursor } from '../bytes/cursor';
import { u16, u32 } from '../bytes/numbers';
import { UnreadableFileError } from '../errors/file-errors';
import { checkFields, type GainMapFields } from './gain-map';

/** The name of the segment of a JPEG that holds the numbers of a gain map as ISO 21496-1 defines them. */
export const ISO_NAME = 'urn:iso:std:iso:ts:21496:-1\0';
/** What the segment of the picture itself holds: the version that readers must know, and that of the writer. */
export const ISO_VERSION = u16(0, 0);

/** Flags: a number for each channel; the map applies to colours of the picture's own colour space. */
const [PER_CHANNEL, OWN_COLOURS] = [0x80, 0x40];
const DENOMINATOR = 1_000_000;
/** The numbers of each channel, in order. */
const CHANNEL_FIELDS = ['min', 'max', 'gamma', 'offsetSdr', 'offsetHdr'] as const;

/**
 * Reads the numbers of a gain map; null if a number is out of range, if the picture is the one in HDR, or if the map
 * applies to colours of another colour space.
 */
export function readIsoFields(data: Uint8Array): GainMapFields | null {
  try {
    const cursor = new Cursor(data);
    const version = cursor.u16();
    cursor.skip(2);
    const flags = cursor.u8();
    if (version !== 0 || (flags & ~PER_CHANNEL) !== OWN_COLOURS) return null;
    const [capacityMin, capacityMax] = [cursor.u32() / cursor.u32(), cursor.u32() / cursor.u32()];
    const fraction = (): number => cursor.i32() / cursor.u32();
    const channels = Array.from({ length: (flags & PER_CHANNEL) === 0 ? 1 : 3 }, () => ({
      ...{ min: fraction(), max: fraction(), gamma: fraction() },
      ...{ offsetSdr: fraction(), offsetHdr: fraction() },
    }));
    return checkFields({
      min: channels.map(({ min }) => min),
      max: channels.map(({ max }) => max),
      gamma: channels.map(({ gamma }) => gamma),
      offsetSdr: channels.map(({ offsetSdr }) => offsetSdr),
      offsetHdr: channels.map(({ offsetHdr }) => offsetHdr),
      ...{ capacityMin: [capacityMin], capacityMax: [capacityMax] },
    });
  } catch (error) {
    if (error instanceof UnreadableFileError) return null;
    throw error;
  }
}

/** The numbers of a gain map, in the form that `readIsoFields` reads. */
export function writeIsoFields(fields: GainMapFields): Uint8Array {
  const fraction = (value = 0): Uint8Array => u32(Math.round(value * DENOMINATOR), DENOMINATOR);
  const isPerChannel = CHANNEL_FIELDS.some((field) => fields[field].length > 1);
  const channels = isPerChannel ? [0, 1, 2] : [0];
  return concatBytes([
    ISO_VERSION,
    Uint8Array.of(OWN_COLOURS | (isPerChannel ? PER_CHANNEL : 0)),
    fraction(fields.capacityMin[0]),
    fraction(fields.capacityMax[0]),
    ...channels.flatMap((channel) =>
      CHANNEL_FIELDS.map((field) => fraction(fields[field][channel] ?? fields[field][0])),
    ),
  ]);
}
