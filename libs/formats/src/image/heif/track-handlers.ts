import type { ByteSource } from '../../byte-source';
import { Cursor } from '../../bytes/cursor';
import { parseBoxes, readBody, readBoxes, type Box } from '../../isobmff/boxes';

const HANDLER_AT = 8;

/**
 * What the tracks of an image sequence hold, in their order: `pict` for pictures, `auxv` for what belongs to them (in a
 * scrubbed file: their transparency), four other letters for anything else.
 * @throws UnreadableFileError where the boxes make no sense.
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
