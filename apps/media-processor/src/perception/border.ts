import type { Luma } from './pdq';

export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Samples that deviate by more than this from their border's brightness belong to the picture. */
const TOLERANCE = 16;
/** The share of such samples that a line of a border may have because of compression. */
const MAX_STRAY_SHARE = 0.02;
/** Minimum width and height of the picture inside, in samples. A smaller one can't be compared. */
const MIN_INSIDE = 32;
/** The number of nested borders of different brightness that are removed one after the other. */
const MAX_BORDERS = 4;
/** A border narrower than this share of the picture doesn't change a hash of 64 cells. */
const MIN_SHARE = 1 / 100;

interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The area of the picture inside of a plain border, including letterbox bars; null if there is no such border. */
export function insideBorder(luma: Luma): Area | null {
  const edges: Edges = { left: 0, top: 0, right: luma.width, bottom: luma.height };
  for (let round = 0; round < MAX_BORDERS; round++) {
    const before = { ...edges };
    cutRows(luma, edges);
    cutColumns(luma, edges);
    if (edges.right - edges.left < MIN_INSIDE || edges.bottom - edges.top < MIN_INSIDE) return null;
    if ((Object.keys(before) as (keyof Edges)[]).every((side) => before[side] === edges[side])) break;
  }
  const [width, height] = [edges.right - edges.left, edges.bottom - edges.top];
  const cut = Math.max(1 - width / luma.width, 1 - height / luma.height);
  return cut < MIN_SHARE ? null : { left: edges.left, top: edges.top, width, height };
}

/** A part of a picture. */
export function crop({ data, width }: Luma, area: Area): Luma {
  const inside = new Float32Array(area.width * area.height);
  for (let y = 0; y < area.height; y++) {
    const from = (area.top + y) * width + area.left;
    inside.set(data.subarray(from, from + area.width), y * area.width);
  }
  return { data: inside, width: area.width, height: area.height };
}

function cutRows(luma: Luma, edges: Edges): void {
  const rowAt = (y: number): Line => ({
    ...{ luma, from: y * luma.width + edges.left, step: 1, count: edges.right - edges.left },
  });
  const [first, last] = [brightnessOf(rowAt(edges.top)), brightnessOf(rowAt(edges.bottom - 1))];
  while (edges.top < edges.bottom && isPlain(rowAt(edges.top), first)) edges.top++;
  while (edges.bottom > edges.top && isPlain(rowAt(edges.bottom - 1), last)) edges.bottom--;
}

function cutColumns(luma: Luma, edges: Edges): void {
  const columnAt = (x: number): Line => ({
    ...{ luma, from: edges.top * luma.width + x, step: luma.width, count: edges.bottom - edges.top },
  });
  const [first, last] = [brightnessOf(columnAt(edges.left)), brightnessOf(columnAt(edges.right - 1))];
  while (edges.left < edges.right && isPlain(columnAt(edges.left), first)) edges.left++;
  while (edges.right > edges.left && isPlain(columnAt(edges.right - 1), last)) edges.right--;
}

/** A row or a column, or part of one. */
interface Line {
  readonly luma: Luma;
  readonly from: number;
  readonly step: number;
  readonly count: number;
}

const sampleOf = ({ luma, from, step }: Line, index: number): number => luma.data[from + index * step] ?? 0;

/** The median brightness of a line's samples. */
function brightnessOf(line: Line): number {
  const samples = new Float32Array(line.count);
  for (let index = 0; index < samples.length; index++) samples[index] = sampleOf(line, index);
  return samples.sort()[line.count >> 1] ?? 0;
}

function isPlain(line: Line, brightness: number): boolean {
  const allowed = line.count * MAX_STRAY_SHARE;
  let strays = 0;
  for (let index = 0; index < line.count && strays <= allowed; index++) {
    if (Math.abs(sampleOf(line, index) - brightness) > TOLERANCE) strays++;
  }
  return strays <= allowed;
}
