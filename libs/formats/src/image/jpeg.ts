import type { ByteSource } from '../bytes/byte-source';
import type { Inspection } from '../facts/inspection';
import { imageFacts } from '../facts/media-facts';
import { orient } from '../metadata/exif-orientation';
import { RewriteBuilder } from '../rewriting/rewrite-builder';
import { readJpegStream } from './jpeg-stream';
import type { GainMapEffect } from './gain-map';
import { effectOf, findGainMap, joinGainMap } from './jpeg-gain-map';

/**
 * Reads and scrubs a JPEG file. A gain map (Ultra HDR, Apple) stays, scrubbed too; other pictures after the first one don't.
 * @throws UnreadableFileError if it is cut off or has no picture.
 */
export const inspectJpeg = (source: ByteSource): Promise<Inspection> => inspectStream(source, true);

/** The same without a gain map, for a JPEG inside of another file. */
export const inspectJpegInFile = (source: ByteSource): Promise<Inspection> => inspectStream(source, false);

async function inspectStream(source: ByteSource, keepsGainMap: boolean): Promise<Inspection> {
  const stream = await readJpegStream(source, 0);
  const facts = imageFacts('jpeg', orient(stream.width, stream.height, stream.orientation));
  const builder = new RewriteBuilder();
  const map = keepsGainMap ? await findGainMap(source, stream) : null;
  builder.append(map ? joinGainMap(stream, map) : stream.segments);
  return { facts, rewrite: await builder.finish(source) };
}

/** The place of the gain map in a JPEG file, and its effect; null if it has none that `inspectJpeg` keeps. */
export async function readGainMap(
  source: ByteSource,
): Promise<{ readonly from: number; readonly to: number; readonly effect: GainMapEffect } | null> {
  const map = await findGainMap(source, await readJpegStream(source, 0));
  return map && { from: map.from, to: map.to, effect: effectOf(map) };
}
