import { CSS_TRANSFORM } from './cascade';
import type { Size } from '../../facts/displayed-size';
import { viewBoxOf } from './size';
import { around, formatMatrix, parseAttribute, parseOrigin, parseTransform, type Box } from './transforms';
import { svgElement, textsOf, writeSvg, type SvgElement } from './tree';
import { boundsOf } from './usvg';

/** Elements whose own box must be measured for `transform-box`. Each takes a run of usvg. */
export const MAX_MEASURED = 500;

/** Writes `transform` with its origin and units as a matrix. `size` is that of the whole drawing. */
export function foldTransform(element: SvgElement, size: Size, measured: { left: number }): void {
  const { attributes } = element;
  const [attribute, property, origin, box] = [
    'transform',
    CSS_TRANSFORM,
    'transform-origin',
    'transform-box',
  ].map((name) => {
    const value = attributes.get(name);
    attributes.delete(name);
    return value;
  });
  const transform = property ?? attribute;
  if (transform === undefined || transform === 'inherit' || !element.parent) return;
  const isOwnBox = /fill-box|stroke-box|content-box|border-box/.test(box ?? '');
  const needsBox = isOwnBox && (origin !== undefined || transform.includes('%'));
  const reference = needsBox && measured.left-- > 0 ? ownBox(element) : viewport(element, size);
  const matrix = property === undefined ? parseAttribute(transform) : parseTransform(transform, reference);
  if (!matrix) return;
  const point = origin === undefined ? { x: 0, y: 0 } : parseOrigin(origin, reference);
  const [left, top] = needsBox ? [reference.x, reference.y] : [0, 0];
  attributes.set('transform', formatMatrix(point ? around(matrix, point.x + left, point.y + top) : matrix));
}

/** The size of the nearest `svg` around the element, in its units. */
function viewport(element: SvgElement, size: Size): Box {
  let svg = element.parent ?? element;
  while (svg.name !== 'svg' && svg.parent) svg = svg.parent;
  const { width, height } = viewBoxOf(svg.attributes) ?? size;
  return { x: 0, y: 0, width, height };
}

const NOT_INHERITED = [
  ...['transform', 'opacity', 'clip-path', 'mask', 'filter', 'x', 'y', 'viewBox', 'width', 'height'],
];

/** The box around the element in its own units, drawn alone with what it inherits. */
function ownBox(element: SvgElement): Box {
  const { parent } = element;
  let drawing: SvgElement = { ...element, attributes: new Map(element.attributes) };
  for (let around = parent; around; around = around.parent) {
    const attributes = new Map(around.attributes);
    for (const name of NOT_INHERITED) attributes.delete(name);
    drawing = { name: 'g', attributes, children: [drawing], parent: null };
  }
  const size = { width: '100', height: '100', overflow: 'visible' };
  return (
    boundsOf(writeSvg(svgElement('svg', size, [drawing])), textsOf(element)) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    }
  );
}
