import { elementsIn, type SvgElement } from './tree';
import { parseLength } from './values';

/**
 * A radial gradient that begins on a circle of radius `fr` equals one that begins at a point: the apex of the cone
 * through both circles. The stops move outwards accordingly.
 */
export function removeFocalRadius(element: SvgElement, byId: ReadonlyMap<string, SvgElement>): void {
  const { attributes } = element;
  const text = attributes.get('fr');
  attributes.delete('fr');
  if (element.name !== 'radialGradient' || text === undefined) return;
  const chain = templates(element, byId);
  const value = (name: string): string | undefined =>
    chain.map((gradient) => gradient.attributes.get(name)).find((found) => found !== undefined);
  const part = (name: string, absent: number): number => parseLength(value(name), 1) ?? absent;
  const fr = parseLength(text, 1) ?? 0;
  const [cx, cy, r] = [part('cx', 0.5), part('cy', 0.5), part('r', 0.5)];
  const [fx, fy] = [part('fx', cx), part('fy', cy)];
  if (!(fr > 0 && r > fr)) return;
  const start = fr / (r - fr);
  attributes.set('cx', String(cx)).set('cy', String(cy)).set('r', String(r));
  attributes.set('fx', String(fx - start * (cx - fx))).set('fy', String(fy - start * (cy - fy)));
  const stops = chain.map((gradient) => elementsIn(gradient).filter(({ name }) => name === 'stop'));
  element.children = (stops.find(({ length }) => length > 0) ?? []).map((stop) => {
    const offset = Math.min(1, Math.max(0, parseLength(stop.attributes.get('offset'), 1) ?? 0));
    const moved = new Map(stop.attributes).set('offset', String((offset + start) / (1 + start)));
    return { ...stop, attributes: moved, parent: element };
  });
}

/** The gradient and those that it takes its missing attributes from, each once. */
function templates(element: SvgElement, byId: ReadonlyMap<string, SvgElement>): SvgElement[] {
  const chain: SvgElement[] = [];
  for (let at: SvgElement | undefined = element; at && !chain.includes(at) && chain.length < 32;) {
    chain.push(at);
    at = byId.get(at.attributes.get('href')?.trim().slice(1) ?? '');
  }
  return chain;
}
