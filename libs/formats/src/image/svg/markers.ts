import { viewBoxOf } from './size';
import { descendants, svgElement, type SvgElement } from './tree';
import { parseLength, partsOf } from './values';

/**
 * A marker with `orient="auto-start-reverse"` points backwards at the start: there, a copy takes its place that is turned
 * round its reference point.
 */
export function turnStartMarkers(root: SvgElement, byId: Map<string, SvgElement>): void {
  const turned = new Map<SvgElement, string>();
  for (const element of [...descendants(root)]) {
    const reference = partsOf(element.attributes.get('marker-start') ?? '')[0];
    const marker = reference?.type === 'Url' ? byId.get(reference.value.slice(1)) : undefined;
    if (marker?.name !== 'marker' || marker.attributes.get('orient') !== 'auto-start-reverse') continue;
    const id = turned.get(marker) ?? addTurned(marker, `${turned.size}-turned`);
    turned.set(marker, id);
    element.attributes.set('marker-start', `url(#${id})`);
  }
  for (const { name, attributes } of descendants(root))
    if (name === 'marker' && attributes.get('orient') === 'auto-start-reverse')
      attributes.set('orient', 'auto');
}

function addTurned(marker: SvgElement, id: string): string {
  const { attributes, children, parent } = marker;
  const length = (name: string, absent: number): number => parseLength(attributes.get(name), 0) ?? absent;
  const [refX, refY] = [length('refX', 0), length('refY', 0)];
  const box = viewBoxOf(attributes) ?? {
    x: 0,
    y: 0,
    width: length('markerWidth', 3),
    height: length('markerHeight', 3),
  };
  const viewBox = `${2 * refX - box.x - box.width} ${2 * refY - box.y - box.height} ${box.width} ${box.height}`;
  const turn = svgElement('g', { transform: `rotate(180 ${refX} ${refY})` });
  turn.children = children;
  const copy = svgElement('marker', { ...Object.fromEntries(attributes), id, viewBox, orient: 'auto' }, [
    turn,
  ]);
  copy.parent = parent;
  parent?.children.push(copy);
  return id;
}
