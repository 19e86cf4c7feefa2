import { MemorySource } from '../../bytes/memory-source';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import type { Inspector } from '../../facts/inspection';
import { readRewritten } from '../../rewriting/rewrite';
import { sniff } from '../../sniffing/sniff';
import { inspectGif } from '../gif';
import { inspectJpegInFile } from '../jpeg';
import { inspectPng } from '../png';
import { inspectWebp } from '../webp';
import { descendants, type SvgElement } from './tree';
import { parseLength } from './values';

const RASTERS: ReadonlyMap<string, Inspector> = new Map([
  ['jpeg', inspectJpegInFile],
  ['png', inspectPng],
  ['webp', inspectWebp],
  ['gif', inspectGif],
]);

/** Pictures in one drawing; each is inspected. */
const MAX_PICTURES = 10_000;

/** A picture in a drawing, without metadata. */
interface Picture {
  readonly link: string;
  readonly width: number;
  readonly height: number;
}

/**
 * The pictures that a drawing holds as data. usvg gets a stand-in of the same size for each of them, because it must
 * know no more than the size, and doesn't know every format.
 */
export class EmbeddedPictures {
  private readonly pictures: Picture[] = [];

  /** `inspectDrawing` cleans a drawing in the drawing. */
  constructor(private readonly inspectDrawing: Inspector) {}

  /** Whether resvg draws all of them; it knows no WebP. */
  get areKnownToResvg(): boolean {
    return this.pictures.every(({ link }) => !link.startsWith('data:image/webp'));
  }

  /** Cleans each picture and puts a stand-in in its place. Links to what is no still picture are removed. */
  async takeFrom(root: SvgElement): Promise<void> {
    for (const { attributes } of descendants(root)) {
      const link = attributes.get('href');
      if (link === undefined || !/^\s*data:/i.test(link)) continue;
      const picture = this.pictures.length < MAX_PICTURES ? await this.clean(link) : undefined;
      if (!picture) attributes.delete('href');
      else attributes.set('href', standIn(this.pictures.push(picture) - 1, picture));
      if (picture) keepRatio(attributes, picture);
    }
  }

  /** The picture for which this link stands; undefined if it is none of ours. */
  linkFor(link: string): string | undefined {
    const bytes = Buffer.from(link.slice(link.indexOf(',') + 1), 'base64');
    return bytes.length === STAND_IN_BYTES
      ? this.pictures[bytes.readUInt32BE(STAND_IN_BYTES - 4)]?.link
      : undefined;
  }

  private async clean(link: string): Promise<Picture | undefined> {
    const bytes = readDataLink(link);
    const format = bytes && sniff(bytes);
    const inspector = format === 'svg' ? this.inspectDrawing : RASTERS.get(format ?? '');
    if (!bytes || !inspector) return undefined;
    try {
      const source = new MemorySource(bytes);
      const { facts, rewrite } = await inspector(source);
      if (facts.frames > 1) return undefined;
      const data = Buffer.from(await readRewritten(source, rewrite)).toString('base64');
      return { link: `data:${facts.mime};base64,${data}`, width: facts.width, height: facts.height };
    } catch (error) {
      if (error instanceof UnreadableFileError || error instanceof UnsupportedFormatError) return undefined;
      throw error;
    }
  }
}

/** Browsers derive the width or height that an element lacks from the other; usvg takes that of the picture. */
function keepRatio(attributes: Map<string, string>, { width, height }: Picture): void {
  const [shownWidth, shownHeight] = ['width', 'height'].map((name) => parseLength(attributes.get(name), NaN));
  if (shownWidth !== undefined && shownHeight === undefined)
    attributes.set('height', String((shownWidth * height) / width));
  if (shownHeight !== undefined && shownWidth === undefined)
    attributes.set('width', String((shownHeight * width) / height));
}

function readDataLink(link: string): Uint8Array | undefined {
  const match = /^\s*data:([^,]*),/i.exec(link);
  if (!match) return undefined;
  const [head, type = ''] = match;
  const data = link.slice(head.length);
  if (/;\s*base64\s*$/i.test(type))
    return Buffer.from(data.replace(/%2b/gi, '+').replace(/%2f/gi, '/'), 'base64');
  try {
    return new TextEncoder().encode(decodeURIComponent(data));
  } catch {
    return undefined;
  }
}

const PNG_START = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
/** Signature, header chunk (length, name, 13 bytes, check value), number of the picture. */
const STAND_IN_BYTES = PNG_START.length + 13 + 4 + 4;

/** The beginning of a PNG of the picture's size, and the picture's number. */
function standIn(index: number, { width, height }: Picture): string {
  const bytes = Buffer.alloc(STAND_IN_BYTES);
  PNG_START.copy(bytes);
  bytes.writeUInt32BE(width, PNG_START.length);
  bytes.writeUInt32BE(height, PNG_START.length + 4);
  bytes.set([8, 6], PNG_START.length + 8);
  bytes.writeUInt32BE(index, STAND_IN_BYTES - 4);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}
