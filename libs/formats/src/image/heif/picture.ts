import { concatBytes } from '../../bytes/arrays';
import { Cursor } from '../../bytes/cursor';
import { u16 } from '../../bytes/numbers';
import { hasAscii } from '../../bytes/text';
import { UnreadableFileError, UnsupportedVariantError } from '../../errors/file-errors';
import { isKnownPrimaries, isKnownTransfer } from '../../metadata/code-points';
import { cleanColourBox, isProfileBox, NCLX_BYTES } from '../../metadata/colour-profile';
import type { ProfileSpace } from '../../metadata/plain-profile';
import type { Item, Meta, Property } from './meta-box';
import { inOrder, isTurn, type NewProperty } from './turns';

/**
 * Properties that showing a picture may need, without descriptions in words. The choice of layers (`a1op`, `a1lx`,
 * `lsel`) is not among them, because programs disagree on it: some show the chosen layer, some each layer as it
 * arrives, some the last.
 */
const KEPT_PROPERTIES = new Set([
  ...['ispe', 'pixi', 'colr', 'pasp', 'clap', 'irot', 'imir', 'auxC'],
  ...['hvcC', 'av1C', 'clli', 'mdcv', 'cclv', 'amve', 'ndwt'],
]);
/** Properties that programs must not ignore; some refuse a file that lets them. */
const ESSENTIAL = new Set(['hvcC', 'av1C', 'clap', 'irot', 'imir']);
/** The shortest content of properties that are read. A shorter one makes the picture unreadable. */
const LEAST_BYTES: Readonly<Record<string, number>> = { ispe: 12, irot: 1, imir: 1, clap: 32, av1C: 4 };
/** A bit of the third byte of `av1C` (AV1-ISOBMFF 2.3.3). */
const MONOCHROME = 0x10;
/** The types of transparency that all programs know. */
const ALPHA_TYPES = ['urn:mpeg:mpegB:cicp:systems:auxiliary:alpha', 'urn:mpeg:hevc:2015:auxid:1'];

/**
 * The primary picture with its tiles and its transparency, and nothing else: no thumbnails, depth or gain maps, no
 * second pictures, no Exif, XMP or other items. Its properties are those that all programs read in the same way, each once. A crop
 * of an AVIF is left out, because most browsers ignore it.
 * @throws UnreadableFileError if a part is missing or cut.
 * @throws UnsupportedVariantError if the picture needs what programs read in different ways.
 */
export function primaryPicture(meta: Meta): Meta {
  const primary = itemOf(meta, meta.primary);
  const parts = partsOf(meta);
  const kept = new Map<number, Item>();
  const colours = new Colours(isGrey(meta) ? 'GRAY' : 'RGB ');
  const create = propertyMaker(meta);
  const dropped = isAvif(meta) ? isCrop : () => false;
  const add = (whole: number, role: Role): void => {
    const waiting = [whole];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (kept.has(id)) continue;
      const item = itemOf(meta, id);
      const properties = item.properties.filter((property) => !dropped(property));
      const one = shown(clean({ ...item, properties }, colours), id === whole ? role : 'tile', create);
      kept.set(id, { ...one, isHidden: id !== meta.primary && item.isHidden });
      for (const part of parts.get(id) ?? []) waiting.push(part);
    }
  };
  add(primary.id, 'picture');
  const alpha = findAlpha(meta, new Set(kept.keys()));
  if (alpha) {
    add(alpha.id, 'alpha');
    kept.set(alpha.id, turnedLike(itemOf({ items: kept }, alpha.id), itemOf({ items: kept }, primary.id)));
  }
  const references = meta.references
    .filter(({ type, from }) => type === 'dimg' && kept.has(from))
    .map((reference) => ({ ...reference, to: reference.to.filter((id) => kept.has(id)) }))
    .filter(({ to }) => to.length > 0);
  if (alpha) {
    references.push({ type: 'auxl', from: alpha.id, to: [primary.id] });
    if (isPremultipliedWith(meta, alpha)) references.push({ type: 'prem', from: primary.id, to: [alpha.id] });
  }
  const items = new Map([...kept].sort(([a], [b]) => a - b));
  return { primary: meta.primary, items, references };
}

type Role = 'picture' | 'alpha' | 'tile';

function itemOf({ items }: Pick<Meta, 'items'>, id: number): Item {
  const item = items.get(id);
  if (!item) throw new UnreadableFileError('A part of the picture is missing.');
  return item;
}

/** New properties have numbers that no property of the file has. */
export function propertyMaker({ items }: Meta): NewProperty {
  let index = [...items.values()]
    .flatMap(({ properties }) => properties)
    .reduce((last, one) => Math.max(last, one.index), 0);
  return (type, body) => ({ type, body, isEssential: ESSENTIAL.has(type), index: ++index });
}

/**
 * The first item that holds the transparency of the primary picture.
 * @throws UnsupportedVariantError if its tiles have separate transparency.
 */
function findAlpha({ primary, items, references }: Meta, parts: ReadonlySet<number>): Item | undefined {
  const alphas = references.flatMap(({ type, from, to }) => {
    const item = items.get(from);
    return type === 'auxl' && item && isAlpha(item) && !parts.has(from) ? [{ item, to }] : [];
  });
  const found = alphas.find(({ to }) => to.includes(primary))?.item;
  if (!found && alphas.some(({ to }) => to.some((id) => parts.has(id))))
    throw new UnsupportedVariantError('HEIF with transparency of single tiles is not supported.');
  return found;
}

const isPremultipliedWith = ({ primary, references }: Meta, alpha: Item): boolean =>
  references.some(({ type, from, to }) => type === 'prem' && from === primary && to.includes(alpha.id));

/** The properties of an item as all programs apply them: the first of each type, turns in one order, none for a tile. */
function shown(item: Item, role: Role, create: NewProperty): Item {
  const once = item.properties.filter(isFirst);
  const turns = role === 'tile' ? [] : inOrder(item.properties.filter(isTurn), create);
  const others = once.filter(
    (property) =>
      !isTurn(property) &&
      (property.type !== 'auxC' || role === 'alpha') &&
      (property.type !== 'clap' || role !== 'tile'),
  );
  const size = others.find(({ type }) => type === 'ispe');
  if (!size) throw new UnreadableFileError('A part of the picture has no size.');
  const crop = others.findIndex(({ type }) => type === 'clap');
  const firstTurn = item.properties.findIndex(isTurn);
  if (crop >= 0 && firstTurn >= 0 && item.properties.findIndex(({ type }) => type === 'clap') > firstTurn)
    throw new UnsupportedVariantError('HEIF with a crop after a rotation is not supported.');
  const properties = [...others, ...turns].map(canonical);
  // The order of the list means nothing but for crops and turns, so a file that is right keeps its own.
  const isSame =
    properties.length === item.properties.length && properties.every((one) => item.properties.includes(one));
  return isSame ? item : { ...item, properties };
}

/** Programs turn transparency by its own properties, by the picture's, or not at all, so they have to be the same. */
function turnedLike(alpha: Item, { properties: shown }: Item): Item {
  const turns = shown.filter(isTurn);
  const own = alpha.properties.filter(isTurn);
  const isAlike =
    own.length === turns.length &&
    own.every(({ body }, at) => Buffer.compare(body, turns[at]?.body ?? new Uint8Array(0)) === 0);
  if (isAlike) return alpha;
  return { ...alpha, properties: [...alpha.properties.filter((property) => !isTurn(property)), ...turns] };
}

/** Whether a property is the first of its type, or of its kind of colours. */
function isFirst(property: Property, at: number, all: readonly Property[]): boolean {
  const kindOf = ({ type, body }: Property): string =>
    type === 'colr' ? `colr ${isProfileBox(body) ? 'profile' : 'code points'}` : type;
  return all.findIndex((other) => kindOf(other) === kindOf(property)) === at;
}

/** @throws UnreadableFileError if the property is cut. */
function canonical(property: Property): Property {
  const { type, body } = property;
  if (body.length < (LEAST_BYTES[type] ?? 0))
    throw new UnreadableFileError(`The property ${type} of the picture is cut.`);
  const isEssential = ESSENTIAL.has(type) || property.isEssential;
  return isEssential === property.isEssential ? property : { ...property, isEssential };
}

/** The picture, and the first of its tiles. */
function firstParts({ primary, items, references }: Meta): Item[] {
  const tile = references.find(({ type, from }) => type === 'dimg' && from === primary)?.to[0];
  return [primary, tile].flatMap((id) => (id === undefined ? [] : (items.get(id) ?? [])));
}

const isAvif = (meta: Meta): boolean => firstParts(meta).some(({ type }) => type === 'av01');

/** Whether an AVIF has luma alone: the picture, or the first of its tiles (`monochrome` of its `av1C`). */
export function isGrey(meta: Meta): boolean {
  const properties = firstParts(meta).flatMap((item) => item.properties);
  const configuration = properties.find(({ type }) => type === 'av1C')?.body;
  return ((configuration?.[2] ?? 0) & MONOCHROME) !== 0;
}

/** For each item: the items that it is derived from. */
function partsOf(meta: Meta): Map<number, number[]> {
  const parts = new Map<number, number[]>();
  for (const { type, from, to } of meta.references) {
    if (type !== 'dimg') continue;
    const known = parts.get(from) ?? [];
    parts.set(from, known);
    for (const part of to) known.push(part);
  }
  return parts;
}

/** The item with only the properties that showing it may need. @throws UnreadableFileError if it needs another one. */
export function clean(item: Item, colours: Colours): Item {
  const properties = item.properties.flatMap((property) => {
    const { type, isEssential } = property;
    if (type === 'colr') return colours.clean(property) ?? [];
    if (KEPT_PROPERTIES.has(type)) return property;
    if (isEssential)
      throw new UnsupportedVariantError(`HEIF that needs the property ${type} is not supported.`);
    return [];
  });
  return { ...item, properties };
}

/** The colours of the picture, which its tiles share: at most one profile, the first one. */
export class Colours {
  private readonly known = new Map<number, Property | null>();
  private profile: Uint8Array | null = null;

  /** `space` is that of the picture. */
  constructor(private readonly space: ProfileSpace = 'RGB ') {}

  clean(property: Property): Property | null {
    const known = this.known.get(property.index);
    if (known !== undefined) return known;
    const clean = this.judge(property);
    this.known.set(property.index, clean);
    return clean;
  }

  private judge(property: Property): Property | null {
    // To read a profile can take half a second, so no other one is read.
    const isProfile = isProfileBox(property.body);
    if (isProfile && this.profile && Buffer.compare(this.profile, property.body) !== 0) return null;
    const body = cleanColourBox(property.body, this.space);
    // Only these two kinds are known to all programs.
    if (!body || (!isProfile && !(hasAscii(body, 0, 'nclx') && body.length === NCLX_BYTES))) return null;
    if (isProfile) this.profile = property.body;
    return { ...property, body: withKnownColours(body) };
  }
}

const UNSPECIFIED = 2;
const SRGB = { primaries: 1, transfer: 13 } as const;

/** Code points with which not all programs show a picture, or not the same one, become those of sRGB. */
export function withKnownColours(body: Uint8Array): Uint8Array {
  if (!hasAscii(body, 0, 'nclx') || body.length < 8) return body;
  const cursor = new Cursor(body, 4);
  const [primaries, transfer] = [cursor.u16(), cursor.u16()];
  const keepsPrimaries = primaries === UNSPECIFIED || isKnownPrimaries(primaries);
  const keepsTransfer = transfer === UNSPECIFIED || isKnownTransfer(transfer);
  if (keepsPrimaries && keepsTransfer) return body;
  const known = u16(keepsPrimaries ? primaries : SRGB.primaries, keepsTransfer ? transfer : SRGB.transfer);
  return concatBytes([body.subarray(0, 4), known, body.subarray(8)]);
}

function isAlpha(item: Item): boolean {
  const body = item.properties.find(({ type }) => type === 'auxC')?.body;
  return body !== undefined && ALPHA_TYPES.some((type) => hasAscii(body, 0, `\0\0\0\0${type}\0`));
}

/** The picture with all that its crops (`clap`) leave out; null if nothing is cropped. */
export function withoutCrop(picture: Meta): Meta | null {
  const items = [...picture.items.values()];
  if (!items.some(({ properties }) => properties.some(isCrop))) return null;
  const whole = items.map((item) => ({
    ...item,
    properties: item.properties.filter((property) => !isCrop(property)),
  }));
  return { ...picture, items: new Map(whole.map((item) => [item.id, item])) };
}

const isCrop = ({ type }: Property): boolean => type === 'clap';

/** The codec of the primary picture. @throws UnsupportedFormatError if it is neither HEVC nor AV1. */
export function codecOf(picture: Meta): 'avif' | 'heic' {
  const types = new Set([...picture.items.values()].map(({ type }) => type));
  if (types.has('hvc1') && types.has('av01'))
    throw new UnsupportedVariantError('HEIF with pictures of several codecs is not supported.');
  if (types.has('hvc1')) return 'heic';
  if (types.has('av01')) return 'avif';
  throw new UnsupportedVariantError('HEIF with a codec other than HEVC and AV1 is not supported.');
}

/** Pixels as displayed: cropped and rotated in the order in which the properties are listed. */
export function displayedSize(picture: Meta): { width: number; height: number } {
  let size = { width: 0, height: 0 };
  for (const { type, body } of picture.items.get(picture.primary)?.properties ?? []) {
    const cursor = new Cursor(body);
    if (type === 'ispe') {
      cursor.skip(4);
      size = { width: cursor.u32(), height: cursor.u32() };
    } else if (type === 'clap') {
      const [width, widthOver, height, heightOver] = [cursor.u32(), cursor.u32(), cursor.u32(), cursor.u32()];
      size = { width: Math.floor(width / widthOver), height: Math.floor(height / heightOver) };
    } else if (type === 'irot' && (cursor.u8() & 1) === 1) {
      size = { width: size.height, height: size.width };
    }
  }
  if (!Number.isFinite(size.width * size.height)) throw new UnreadableFileError('The picture has no size.');
  return size;
}
