import { UnreadableFileError } from '../../errors/file-errors';
import { descendants, elementsById, elementsIn, type SvgElement } from './tree';

/** Limit of the elements that are drawn after following each `use`; a drawing of 10 MiB without `use` has as many. */
const MAX_DRAWN = 250_000;
/** Limit of the characters of path data that are drawn after following each `use`. */
const MAX_DRAWN_DATA = 64 * 1024 * 1024;
/** Deepest nesting of elements after following each `use`. */
const MAX_DEPTH = 1000;
/** Limit of the effects of all filters together. The largest filter libraries of drawing programs have a few hundred. */
const MAX_FILTER_STEPS = 500;

/**
 * Refuses drawings that need endless work for a few bytes: `use` elements that show each other repeatedly, and
 * filters of thousands of steps. Breaks circles of `use` elements. Throws `UnreadableFileError`.
 */
export function assertBounded(root: SvgElement): void {
  let steps = 0;
  for (const { name } of descendants(root))
    if (name.startsWith('fe') && ++steps > MAX_FILTER_STEPS)
      throw new UnreadableFileError('The SVG has too many filter effects.');
  const { elements, data } = drawn(root, elementsById(root), new Map(), new Set());
  if (elements > MAX_DRAWN || data > MAX_DRAWN_DATA)
    throw new UnreadableFileError('The SVG shows its elements too often.');
}

interface Drawn {
  readonly elements: number;
  readonly data: number;
}

/** What is drawn after following each `use`. `open` holds the elements around this one. */
function drawn(
  element: SvgElement,
  byId: ReadonlyMap<string, SvgElement>,
  known: Map<SvgElement, Drawn>,
  open: Set<SvgElement>,
  depth = 0,
): Drawn {
  const counted = known.get(element);
  if (counted !== undefined) return counted;
  if (depth > MAX_DEPTH) throw new UnreadableFileError('The SVG shows elements recursively without end.');
  open.add(element);
  const target = element.name === 'use' ? byId.get(targetOf(element)) : undefined;
  // Browsers don't draw a `use` that would show itself.
  if (target && open.has(target)) element.attributes.delete('href');
  const shown = [...elementsIn(element), ...(target && !open.has(target) ? [target] : [])].map((one) =>
    drawn(one, byId, known, open, depth + 1),
  );
  open.delete(element);
  const own = element.attributes.get('d') ?? element.attributes.get('points') ?? '';
  const count = {
    elements: shown.reduce((sum, { elements }) => sum + elements, 1),
    data: shown.reduce((sum, { data }) => sum + data, own.length),
  };
  known.set(element, count);
  return count;
}

const targetOf = ({ attributes }: SvgElement): string => (attributes.get('href') ?? '').trim().slice(1);
