import { concatBytes } from '../../bytes/arrays';
import { MemorySource } from '../../bytes/memory-source';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import type { Inspector } from '../../facts/inspection';
import { rewrittenBytes } from '../../rewriting/rewrite';
import { sniff } from '../../sniffing/sniff';
import { inspectJpegInFile } from '../jpeg';
import { inspectPng } from '../png';

/**
 * Types of embedded pictures that librsvg draws, so that the moderated picture shows them too. It draws neither GIF
 * nor WebP. An embedded SVG would have to be cleaned as well, which is not worth the effort.
 */
const RASTERS: ReadonlyMap<string, Inspector> = new Map([
  ['jpeg', inspectJpegInFile],
  ['png', inspectPng],
]);

/**
 * A `data:` link to the picture without its metadata; undefined if it is no still JPEG or PNG in base64, by its
 * content.
 */
export async function cleanRasterLink(link: string): Promise<string | undefined> {
  const match = /^\s*data:[^,]*;\s*base64\s*,/i.exec(link);
  if (!match) return undefined;
  const source = Buffer.from(
    link.slice(match[0].length).replace(/%2b/gi, '+').replace(/%2f/gi, '/'),
    'base64',
  );
  const inspector = RASTERS.get(sniff(source) ?? '');
  if (!inspector) return undefined;
  try {
    const memory = new MemorySource(source);
    const { facts, rewrite } = await inspector(memory);
    if (facts.frames > 1) return undefined;
    const chunks: Uint8Array[] = [];
    for await (const chunk of rewrittenBytes(memory, rewrite)) chunks.push(chunk);
    return `data:${facts.mime};base64,${Buffer.from(concatBytes(chunks)).toString('base64')}`;
  } catch (error) {
    if (error instanceof UnreadableFileError || error instanceof UnsupportedFormatError) return undefined;
    throw error;
  }
}
