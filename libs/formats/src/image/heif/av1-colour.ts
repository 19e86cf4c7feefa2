import type { ByteSource } from '../../bytes/byte-source';
import { UnreadableFileError } from '../../errors/file-errors';
import { readAv1Sequence } from './av1-sequence';
import { firstAv1Unit, UNIT } from './av1-units';
import type { Range } from './byte-map';
import type { CodedColour } from './heif-picture';

/**
 * The colours that an AV1 picture itself declares (AV1 5.5.2), which programs use if its file has no `colr` box.
 * Undefined if it has no sequence header at its start.
 */
export async function readAv1Colour(
  source: ByteSource,
  tile: readonly Range[],
): Promise<CodedColour | undefined> {
  try {
    const header = await firstAv1Unit(source, tile, UNIT.sequenceHeader);
    return header && readAv1Sequence(header.bytes.subarray(header.headerBytes)).colour;
  } catch (error) {
    if (error instanceof UnreadableFileError) return undefined;
    throw error;
  }
}
