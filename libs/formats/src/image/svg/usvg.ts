import { readFileSync } from 'node:fs';
import { initWasm, Resvg, type ResvgRenderOptions } from '@resvg/resvg-wasm';
import { UnreadableFileError } from '../../errors/file-errors';
import { fontsFor } from './fonts';
import type { Box } from './transforms';

/** 64 KiB pages of memory for usvg. A drawing of 10 MiB with 250,000 elements takes a third of them. */
const MAX_PAGES = (512 * 1024) / 64;

type Tree = InstanceType<typeof Resvg>;

let ready: Promise<void> | undefined;

let broken = false;

/** Whether usvg was stopped in the middle. Its memory is not reliable then, so this thread or process must end. */
export const isUsvgBroken = (): boolean => broken;

/** Compiles usvg; repeated calls wait for the same compilation. */
export function loadUsvg(): Promise<void> {
  ready ??= initWasm(
    withMemoryLimit(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')), MAX_PAGES),
  ).catch((error: unknown) => {
    // Another copy of this module has loaded it, in the same process.
    if (!String(error).includes('Already initialized')) throw error;
  });
  return ready;
}

/**
 * Turns a drawing into shapes with absolute coordinates: no styles, no `use`, texts as paths in our fonts, circular
 * references removed (usvg, the tree that resvg draws). Needs `loadUsvg`.
 * @throws UnreadableFileError if it draws nothing that usvg can read, or needs too much memory.
 */
export function simplify(svg: string, texts: string): string {
  return withTree(svg, texts, (tree) => tree.toString());
}

/** The box around what the drawing draws, without strokes; undefined if it draws nothing. Needs `loadUsvg`. */
export function boundsOf(svg: string, texts: string): Box | undefined {
  return withTree(svg, texts, (tree) => {
    const box = tree.getBBox();
    if (!box) return undefined;
    const { x, y, width, height } = box;
    box.free();
    return { x, y, width, height };
  });
}

/**
 * Draws a drawing that `inspectSvg` has written, as PNG; the height follows from its shape.
 * @throws UnreadableFileError like `simplify`.
 */
export async function drawSvg(svg: string, width: number): Promise<Uint8Array> {
  await loadUsvg();
  return withTree(svg, '', (tree) => tree.render().asPng(), { fitTo: { mode: 'width', value: width } });
}

/** Whether a drawing that `inspectSvg` has written names a size; else it is drawn at each size's edge. */
export const hasFixedSize = (svg: string): boolean => /^<svg [^>]*\bwidth="/.test(svg);

function withTree<T>(
  svg: string,
  texts: string,
  use: (tree: Tree) => T,
  options: ResvgRenderOptions = {},
): T {
  let tree: Tree | undefined;
  try {
    if (broken) throw new Error('usvg was used after it had been stopped');
    tree = new Resvg(svg, {
      ...options,
      font: {
        fontBuffers: fontsFor(texts),
        defaultFontSize: 16,
        defaultFontFamily: 'Tinos',
        serifFamily: 'Tinos',
        sansSerifFamily: 'Arimo',
        cursiveFamily: 'Arimo',
        fantasyFamily: 'Arimo',
        monospaceFamily: 'Cousine',
      },
    });
    return use(tree);
  } catch (error) {
    if (error instanceof Error && error.name === 'RuntimeError') {
      broken = true;
      throw new UnreadableFileError('The SVG needs too much memory.');
    }
    throw new UnreadableFileError(`The SVG can't be drawn: ${String(error)}`);
  } finally {
    if (!broken) tree?.free();
  }
}

/** The module with a maximum in its memory section (WebAssembly Core, 5.5.8), which it lacks. */
function withMemoryLimit(wasm: Uint8Array, maxPages: number): Uint8Array {
  const MEMORY_SECTION = 5;
  for (let at = 8; at < wasm.length;) {
    const id = wasm[at];
    const [size, start] = readLeb(wasm, at + 1);
    if (id === MEMORY_SECTION) {
      const [count, flags] = readLeb(wasm, start);
      const [min, end] = readLeb(wasm, flags + 1);
      if (count !== 1 || wasm[flags] !== 0 || end !== start + size) break;
      const section = [...writeLeb(1), 1, ...writeLeb(min), ...writeLeb(maxPages)];
      return Buffer.concat([
        wasm.subarray(0, at),
        Uint8Array.from([MEMORY_SECTION, ...writeLeb(section.length), ...section]),
        wasm.subarray(end),
      ]);
    }
    at = start + size;
  }
  throw new Error('The memory section of usvg has another form than expected');
}

function readLeb(bytes: Uint8Array, at: number): [value: number, next: number] {
  let value = 0;
  for (let shift = 0; ; shift += 7, at++) {
    const byte = bytes[at] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return [value, at + 1];
  }
}

function writeLeb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...writeLeb(value >>> 7)];
}
