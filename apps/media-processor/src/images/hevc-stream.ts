import type { HeifPlane } from '@vitrine/formats';
import { failureReason, UnprocessableFileError } from '../failures';

const START_CODE = Buffer.from([0, 0, 0, 1]);
/** Where the arrays of parameter sets begin in an `hvcC` box (ISO/IEC 14496-15, 8.3.3.1). */
const ARRAYS_AT = 22;

/**
 * The tiles of a HEIC's plane as one HEVC byte stream (ITU-T H.265, annex B), one picture for each tile, in order.
 * Throws `UnprocessableFileError` where lengths point outside of the file.
 */
export function hevcStream(file: Buffer, { configuration, tiles }: HeifPlane): Buffer {
  try {
    const config = Buffer.from(configuration.buffer, configuration.byteOffset, configuration.byteLength);
    const lengthBytes = (config.readUInt8(21) & 3) + 1;
    const parts = [...parameterSets(config)];
    for (const extents of tiles) {
      const [only] = extents;
      const bytes =
        extents.length === 1 && only
          ? file.subarray(only.from, only.to)
          : Buffer.concat(extents.map(({ from, to }) => file.subarray(from, to)));
      for (let at = 0; at < bytes.length;) {
        const from = at + lengthBytes;
        const to = from + bytes.readUIntBE(at, lengthBytes);
        if (to > bytes.length) throw new RangeError('A unit of the picture ends outside of it');
        parts.push(START_CODE, bytes.subarray(from, to));
        at = to;
      }
    }
    return Buffer.concat(parts);
  } catch (error) {
    throw new UnprocessableFileError(failureReason.image, (error as Error).message);
  }
}

function* parameterSets(config: Buffer): Generator<Buffer> {
  let at = ARRAYS_AT + 1;
  for (let arrays = config.readUInt8(ARRAYS_AT); arrays > 0; arrays--) {
    const units = config.readUInt16BE(at + 1);
    at += 3;
    for (let unit = 0; unit < units; unit++) {
      const end = at + 2 + config.readUInt16BE(at);
      if (end > config.length) throw new RangeError('A parameter set ends outside of its box');
      yield START_CODE;
      yield config.subarray(at + 2, end);
      at = end;
    }
  }
}
