import type { ByteSource } from '../../bytes/byte-source';
import { Cursor } from '../../bytes/cursor';
import { parseBoxes, readBody, readBoxes, type Box } from '../../isobmff/boxes';
import { readAv1Colour } from './av1-colour';
import { readCodedColour, readProfile, type HeifPicture } from './heif-picture';

/** The colours of a sequence, as those of a picture. */
export type SequenceColour = Pick<HeifPicture, 'codedColour' | 'profile'>;
const UNKNOWN: SequenceColour = { codedColour: undefined, profile: undefined };

/** Bytes of the fields of a sample entry, and of `stsd` and `hdlr` before what is read of them. */
const [ENTRY_FIELDS, DESCRIPTION_FIELDS, HANDLER_AT] = [78, 8, 8] as const;

/**
 * The colours of an AVIF sequence: from the `colr` boxes of its first track with pictures, and code points else from
 * its first AV1 picture. A profile counts before code points.
 * @throws UnreadableFileError if the boxes are invalid.
 */
export async function readSequenceColour(source: ByteSource): Promise<SequenceColour> {
  const boxes = await readBoxes(source, 0, source.size, { garbageAtEnd: true });
  const movie = boxes.find(({ type }) => type === 'moov');
  return movie ? readMovieColour(source, await readBody(source, movie)) : UNKNOWN;
}

/** As `readSequenceColour`, for the content of the `moov` box of a file. */
export async function readMovieColour(source: ByteSource, bytes: Uint8Array): Promise<SequenceColour> {
  const within = (box: Box | undefined, ...path: readonly string[]): Box | undefined =>
    path.reduce<Box | undefined>(
      (parent, type) => parent && parseBoxes(bytes, parent.body, parent.end).find((box) => box.type === type),
      box,
    );
  const isPicture = (track: Box): boolean => {
    const handler = within(track, 'mdia', 'hdlr');
    return handler !== undefined && new Cursor(bytes, handler.body + HANDLER_AT).ascii(4) === 'pict';
  };
  const track = parseBoxes(bytes).find((box) => box.type === 'trak' && isPicture(box));
  const table = within(track, 'mdia', 'minf', 'stbl');
  const description = within(table, 'stsd');
  const [entry] = description
    ? parseBoxes(bytes, description.body + DESCRIPTION_FIELDS, description.end)
    : [];
  if (!entry) return UNKNOWN;
  const properties = parseBoxes(bytes, entry.body + ENTRY_FIELDS, entry.end)
    .filter(({ type }) => type === 'colr')
    .map(({ type, body, end }) => ({ type, body: bytes.subarray(body, end) }));
  const given = { codedColour: readCodedColour({ properties }), profile: readProfile({ properties }) };
  const [short, long] = [within(table, 'stco'), within(table, 'co64')];
  const offsets = short ?? long;
  if (given.codedColour || !offsets) return given;
  const from = new Cursor(bytes, offsets.body + DESCRIPTION_FIELDS).uint(short ? 4 : 8);
  return { ...given, codedColour: await readAv1Colour(source, [{ from, to: source.size }]) };
}
