import type { ByteSource } from '../../bytes/byte-source';
import { Cursor } from '../../bytes/cursor';
import { parseBoxes, readBody, readBoxes, type Box } from '../../isobmff/boxes';

const HANDLER_AT = 8;

/**
 * The handler types of the tracks of an image sequence, in order: `pict` for pictures, `auxv` for auxiliary pictures
 * (in a scrubbed file: transparency), or any other four letters.
 * @throws UnreadableFileError if the boxes are invalid.
 */
export async function readTrackHandlers(source: ByteSource): Promise<string[]> {
  const boxes = await readBoxes(source, 0, source.size, { garbageAtEnd: true });
  const movie = boxes.find(({ type }) => type === 'moov');
  if (!movie) return [];
  const bytes = await readBody(source, movie);
  const within = (box: Box | undefined, type: string): Box | undefined =>
    box && parseBoxes(bytes, box.body, box.end).find((child) => child.type === type);
  return parseBoxes(bytes)
    .filter(({ type }) => type === 'trak')
    .map((track) => {
      const handler = within(within(track, 'mdia'), 'hdlr');
      return handler ? new Cursor(bytes, handler.body + HANDLER_AT).ascii(4) : '';
    });
}
