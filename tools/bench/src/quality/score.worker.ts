import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { calc_s2, initSync, new_buffer } from 'calc-s2-rust/calc_s2_rust.js';
import sharp from 'sharp';

/**
 * A thread that scores encoded pictures with SSIMULACRA2 (the package calc-s2-rust, WebAssembly): 100 is a picture
 * without a difference, 90 one whose difference nobody sees side by side, 70 high and 50 medium quality.
 */
export interface ScoreRequest {
  readonly id: number;
  /** Pixels of the reference, 3 bytes each. */
  readonly reference: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** The encoded picture that is compared with it. */
  readonly file: Uint8Array;
}

export type ScoreAnswer = { readonly id: number } & ({ readonly score: number } | { readonly error: string });

const { memory } = initSync(readFileSync(require.resolve('calc-s2-rust/calc_s2_rust_bg.wasm')));

sharp.concurrency(1);
sharp.cache(false);

/** Puts pixels into the module's memory, which frees them when it has used them. */
function put(name: string, pixels: Uint8Array): void {
  const at = new_buffer(name, pixels.length);
  new Uint8Array(memory.buffer, at, pixels.length).set(pixels);
}

async function score({ reference, width, height, file }: ScoreRequest): Promise<number> {
  const { data, info } = await sharp(file)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.width !== width || info.height !== height || info.channels !== 3)
    throw new Error(`A picture has ${info.width} × ${info.height}, not ${width} × ${height}`);
  put('reference', reference);
  put('file', data);
  return calc_s2('reference', 'file', width, height);
}

parentPort?.on('message', (request: ScoreRequest) => {
  const { id } = request;
  score(request).then(
    (value) => parentPort?.postMessage({ id, score: value } satisfies ScoreAnswer),
    (error: Error) => parentPort?.postMessage({ id, error: error.message } satisfies ScoreAnswer),
  );
});
