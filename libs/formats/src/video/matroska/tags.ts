import type { ByteView } from '../../bytes/byte-view';
import { isSoftwareName, textBefore } from '../../metadata/software-name';
import { elementsIn, neutralise, scrubElements, type Element } from './ebml';

const TAG = 0x7373;
const TARGETS = 0x63c0;
const SIMPLE_TAG = 0x67c8;
const TAG_NAME = 0x45a3;
const TAG_STRING = 0x4487;
/** The language, and whether it is the default one. */
const TAG_FIELDS: ReadonlySet<number> = new Set([0x447a, 0x4484]);
/** The target of a tag: its type, and the track. */
const TARGET_FIELDS: ReadonlySet<number> = new Set([0x68ca, 0x63ca, 0x63c5]);
const LONGEST_NUMBER = 8;

const COUNT = /^\d{1,19}$/;
const BRANDS = /^(?:isom|iso[2-9a-c]|mp4[12]|avc1|hvc1|av01|qt {2}|M4[AV] |dash|3gp[4-9]|cmfc)+$/;
/** Tags that muxers write into each file, by name (Matroska's own, and those that FFmpeg copies from MP4). */
const HARMLESS: Readonly<Record<string, (value: string) => boolean>> = {
  ENCODER: isSoftwareName,
  _STATISTICS_WRITING_APP: isSoftwareName,
  HANDLER_NAME: isSoftwareName,
  DURATION: (value) => /^\d\d:\d\d:\d\d\.\d{1,9}$/.test(value),
  BPS: (value) => COUNT.test(value),
  NUMBER_OF_FRAMES: (value) => COUNT.test(value),
  NUMBER_OF_BYTES: (value) => COUNT.test(value),
  _STATISTICS_TAGS: (value) => /^BPS DURATION NUMBER_OF_FRAMES NUMBER_OF_BYTES$/.test(value),
  MAJOR_BRAND: (value) => BRANDS.test(value),
  COMPATIBLE_BRANDS: (value) => BRANDS.test(value),
  MINOR_VERSION: (value) => COUNT.test(value),
  VENDOR_ID: (value) => /^(?:(?:\[0\]){4}|appl|FFMP)$/.test(value),
};

/**
 * Removes from a whole Tags element, in place, everything except what muxers write about themselves and their
 * statistics. A tag that holds nothing else becomes Void. Returns whether any of it is kept.
 */
export function scrubTags(view: ByteView, tags: Element): boolean {
  let stays = false;
  scrubElements(view, tags.body, tags.end, {
    [TAG]: (_, tag) => {
      if (scrubTag(view, tag)) stays = true;
      else neutralise(view, tag);
    },
  });
  if (!stays) neutralise(view, tags);
  return stays;
}

function scrubTag(view: ByteView, tag: Element): boolean {
  const children = elementsIn(view, tag.body, tag.end);
  if (!children.filter(({ id }) => id === TARGETS).every((targets) => isTrack(view, targets))) return false;
  const names = new Set<string>();
  const kept = children.filter((child) => child.id === SIMPLE_TAG && isHarmless(view, child, names));
  if (kept.length === 0) return false;
  for (const child of children) if (child.id !== TARGETS && !kept.includes(child)) neutralise(view, child);
  view.bytes.fill(0, children.at(-1)?.end ?? tag.body, tag.end);
  return true;
}

function isTrack(view: ByteView, { body, end }: Element): boolean {
  const fields = elementsIn(view, body, end);
  return (
    (fields.at(-1)?.end ?? body) === end &&
    fields.length <= TARGET_FIELDS.size &&
    fields.every((field) => TARGET_FIELDS.has(field.id) && field.end - field.body <= LONGEST_NUMBER)
  );
}

/** Whether a tag is a muxer's, and the first of its name. */
function isHarmless(view: ByteView, { body, end }: Element, names: Set<string>): boolean {
  const fields = elementsIn(view, body, end);
  const textOf = (id: number): string | null => {
    const [field, ...others] = fields.filter((candidate) => candidate.id === id);
    return field && others.length === 0 ? textBefore(view.bytes.subarray(field.body, field.end)) : null;
  };
  const [name, value] = [textOf(TAG_NAME), textOf(TAG_STRING)];
  if (name === null || value === null || names.has(name) || !Object.hasOwn(HARMLESS, name)) return false;
  const others = fields.filter(({ id }) => id !== TAG_NAME && id !== TAG_STRING);
  const isWhole = (fields.at(-1)?.end ?? body) === end && others.length <= TAG_FIELDS.size;
  if (!isWhole || !others.every(isPlainField) || !HARMLESS[name]?.(value)) return false;
  names.add(name);
  return true;
}

function isPlainField({ id, body, end }: Element): boolean {
  return TAG_FIELDS.has(id) && end - body <= 3;
}
