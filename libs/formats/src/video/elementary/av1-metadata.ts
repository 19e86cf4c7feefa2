import type { ByteRange } from '../../bytes/byte-ranges';
import { leb128 } from '../../bytes/numbers';
import { hasAscii } from '../../bytes/text';

/** Types of units (AV1 specification, 6.2.2) that decoders read; all but these and metadata become padding. */
const DECODED: ReadonlySet<number> = new Set([1, 2, 3, 4, 6, 7, 8]);
const METADATA = 5;
const PADDING = 15;
/** Types of metadata (6.7.1): brightness, the screen of the author, scalability; and registered ones. */
const KEPT_METADATA: ReadonlySet<number> = new Set([1, 2, 3]);
const REGISTERED = 4;
/** HDR10+ and Dolby Vision, which describe brightness scene by scene: country, provider, and the number of the data. */
const REGISTRATIONS = ['\xb5\0\x3c\0\x01\x04', '\xb5\0\x3b\0\0\x08'];
/** The three registrations and brightness data have less. */
const MAX_KEPT = 4096;

/** A range to fill with one value. */
export interface Filling extends ByteRange {
  readonly value: number;
}

/** Turns units of AV1 that can hold texts, places and times into padding: what to overwrite in a sample or a configuration. */
export function* av1Notes(units: Uint8Array): Generator<Filling> {
  for (let at = 0; at < units.length;) {
    const header = units[at] ?? 0;
    const [hasExtension, hasSize] = [(header & 4) !== 0, (header & 2) !== 0];
    const sizeAt = at + (hasExtension ? 2 : 1);
    const size = hasSize ? leb128(units, sizeAt) : { value: units.length - sizeAt, end: sizeAt };
    const [from, to] = [size.end, Math.min(size.end + size.value, units.length)];
    if (!isKept((header >> 3) & 15, units.subarray(from, to))) {
      yield { from: at, to: at + 1, value: (header & 0x87) | (PADDING << 3) };
      if (to > from) yield { from, to, value: 0 };
    }
    at = Math.max(to, at + 1);
  }
}

function isKept(type: number, body: Uint8Array): boolean {
  if (type !== METADATA) return DECODED.has(type);
  const kind = body[0] ?? 0;
  if (body.length > MAX_KEPT) return false;
  return (
    KEPT_METADATA.has(kind) ||
    (kind === REGISTERED && REGISTRATIONS.some((registration) => hasAscii(body, 1, registration)))
  );
}

/** Bytes of `av1C` before its units (AV1-ISOBMFF, 2.3.3). */
export const CONFIGURATION_FIELDS = 4;

/** The same for the units in an `av1C`, in place. */
export function scrubAv1Configuration(configuration: Uint8Array): void {
  const units = configuration.subarray(CONFIGURATION_FIELDS);
  for (const { from, to, value } of [...av1Notes(units)]) units.fill(value, from, to);
}
