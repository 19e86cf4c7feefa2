import { svgPathProperties } from 'svg-path-properties';
import type { SvgElement } from './tree';
import { parseLength } from './values';

/** Characters of path data whose length is measured for `pathLength`. */
const MAX_MEASURED_PATH = 100_000;

/** Dashes by `pathLength` become dashes in units of the drawing. */
export function scaleDashes(element: SvgElement): void {
  const { attributes } = element;
  const claimed = Number(attributes.get('pathLength'));
  attributes.delete('pathLength');
  const dashes = inheritedValue(element, 'stroke-dasharray');
  if (!(claimed > 0) || dashes === undefined || dashes === 'none') return;
  const data = pathData(element);
  if (data === undefined || data.length > MAX_MEASURED_PATH) return;
  const factor = lengthOf(data) / claimed;
  if (!Number.isFinite(factor)) return;
  const scaled = (list: string): string =>
    list
      .split(/[\s,]+/)
      .map((part) => String((parseLength(part, 0) ?? 0) * factor))
      .join(' ');
  attributes.set('stroke-dasharray', scaled(dashes));
  const offset = inheritedValue(element, 'stroke-dashoffset');
  if (offset !== undefined) attributes.set('stroke-dashoffset', scaled(offset));
}

function lengthOf(data: string): number {
  try {
    return new svgPathProperties(data).getTotalLength();
  } catch {
    return NaN;
  }
}

function inheritedValue(element: SvgElement, property: string): string | undefined {
  for (let at: SvgElement | null = element; at; at = at.parent) {
    const value = at.attributes.get(property);
    if (value !== undefined && value !== 'inherit') return value;
  }
  return undefined;
}

/** The outline of a basic shape, as SVG 2 (10.2 to 10.7) draws it. */
function pathData({ name, attributes }: SvgElement): string | undefined {
  const number = (attribute: string): number => parseLength(attributes.get(attribute), 0) ?? 0;
  switch (name) {
    case 'path':
      return attributes.get('d');
    case 'line':
      return `M${number('x1')} ${number('y1')}L${number('x2')} ${number('y2')}`;
    case 'polyline':
      return `M${attributes.get('points')}`;
    case 'polygon':
      return `M${attributes.get('points')}z`;
    case 'rect':
      return `M${number('x')} ${number('y')}h${number('width')}v${number('height')}h${-number('width')}z`;
    case 'circle':
    case 'ellipse': {
      const [rx, ry] = name === 'circle' ? [number('r'), number('r')] : [number('rx'), number('ry')];
      const arc = `a${rx} ${ry} 0 0 1 `;
      return `M${number('cx') + rx} ${number('cy')}${arc}${-2 * rx} 0${arc}${2 * rx} 0z`;
    }
    default:
      return undefined;
  }
}
