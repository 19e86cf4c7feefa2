import { isZero } from '../../bytes/arrays';
import type { ByteSource } from '../../bytes/byte-source';
import { readExactly } from '../../bytes/read';
import { WindowReader } from '../../bytes/window-reader';
import { readBody, type Box } from '../../isobmff/boxes';
import { ByteMap, type Range } from './byte-map';
import type { Item, Meta, ParsedMeta } from './meta-box';
import type { Sequence } from './sequence';

const CHUNK = 1 << 16;
const MAX_BRANDS = 32;
const BRAND_FIELDS = 8;
const BOXES = new Set(['ftyp', 'meta', 'moov', 'mdat', 'free', 'skip']);
const ONCE = ['ftyp', 'meta', 'moov'];

/** A file as it was read: its boxes, their content, and the part of it that a picture needs. */
export interface HeifFile {
  readonly boxes: readonly Box[];
  readonly brands: readonly string[];
  readonly meta: ParsedMeta | undefined;
  readonly picture: Meta | undefined;
  readonly sequence: Sequence | undefined;
}

/**
 * Whether a file holds a picture or a sequence and nothing else: every item, property and reference is kept
 * unchanged, and so is every byte of data. Such a file needs no rewrite.
 */
export async function isPlainHeif(
  source: ByteSource,
  file: HeifFile,
  isKnownBrand: (brand: string) => boolean,
): Promise<boolean> {
  const { boxes, brands, meta, picture, sequence } = file;
  if (!hasOnlyKnown(boxes) || boxes.at(-1)?.end !== source.size) return false;
  if (brands.length > MAX_BRANDS || !brands.every(isKnownBrand)) return false;
  const [ftyp] = boxes;
  if (!ftyp || ftyp.end - ftyp.body !== BRAND_FIELDS + 4 * (brands.length - 1)) return false;
  if (!isZero(await readExactly(source, ftyp.body + 4, 4))) return false;
  const moov = boxes.find(({ type }) => type === 'moov');
  if ((meta && !(picture && isWholePicture(meta, picture))) || Boolean(moov) !== Boolean(sequence))
    return false;
  if (sequence && moov && !(await isWholeSequence(source, moov, sequence))) return false;
  return holdsOnly(source, file);
}

function hasOnlyKnown(boxes: readonly Box[]): boolean {
  return (
    boxes[0]?.type === 'ftyp' &&
    boxes.every(({ type }) => BOXES.has(type)) &&
    ONCE.every((once) => boxes.filter(({ type }) => type === once).length <= 1)
  );
}

function isWholePicture(meta: ParsedMeta, picture: Meta): boolean {
  return (
    meta.isPlain &&
    picture.items.size === meta.items.size &&
    [...picture.items.values()].every((item) => isWholeItem(meta.items.get(item.id), item)) &&
    picture.references.length === meta.references.length &&
    countTargets(picture) === countTargets(meta)
  );
}

function isWholeItem(original: Item | undefined, { properties, isHidden }: Item): boolean {
  return (
    original?.properties.length === properties.length &&
    original.isHidden === isHidden &&
    properties.every(({ body, isEssential }, i) => {
      const before = original.properties[i];
      return body === before?.body && isEssential === before.isEssential;
    })
  );
}

function countTargets({ references }: Meta): number {
  return references.reduce((sum, { to }) => sum + to.length, 0);
}

/** Whether rewriting the tracks, for samples that stay at their positions, gives the same bytes. */
async function isWholeSequence(source: ByteSource, moov: Box, sequence: Sequence): Promise<boolean> {
  const written = sequence.write({ place: (offset) => offset }, 0);
  if (written.length !== moov.end - moov.start) return false;
  return Buffer.compare(await readBody(source, moov), written.subarray(moov.body - moov.start)) === 0;
}

/** Whether all data lie in their boxes, and fill them except for zeros. */
async function holdsOnly(source: ByteSource, { boxes, meta, picture, sequence }: HeifFile): Promise<boolean> {
  const extents = [...(picture?.items.values() ?? [])].flatMap((item) => item.extents);
  const used = new ByteMap([...extents, ...(sequence?.ranges ?? [])]).ranges;
  const data: Range[] = boxes
    .filter(({ type }) => type === 'mdat' || type === 'free' || type === 'skip')
    .map(({ body, end }) => ({ from: body, to: end }));
  if (meta?.data) data.push(meta.data);
  data.sort((a, b) => a.from - b.from);
  const reader = new WindowReader(source);
  let next = 0;
  for (const { from, to } of data) {
    let at = from;
    for (let range = used[next]; range && range.from < to; range = used[++next]) {
      if (range.from < at || range.to > to || !(await isZeroRun(reader, at, range.from))) return false;
      at = range.to;
    }
    if (!(await isZeroRun(reader, at, to))) return false;
  }
  return next === used.length;
}

async function isZeroRun(reader: WindowReader, from: number, to: number): Promise<boolean> {
  for (reader.position = from; reader.position < to;) {
    const length = Math.min(CHUNK, to - reader.position);
    await reader.ensure(length);
    if (!isZero(reader.take(length))) return false;
  }
  return true;
}
