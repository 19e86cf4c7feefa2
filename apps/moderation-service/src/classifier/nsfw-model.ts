import { dirname, join } from 'node:path';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { type GraphModel, loadGraphModel } from '@tensorflow/tfjs-converter';
import { div, io, setBackend, type Tensor, tensor4d, tidy } from '@tensorflow/tfjs-core';
import type { ClassScores } from '@vitrine/domain';

/** Edge of the model's square input, in pixels. */
export const MODEL_EDGE = 224;
const CHANNELS = 3;

/** The model's outputs in their order (`nsfw_classes` in nsfwjs). */
const CLASSES = [
  'drawing',
  'hentai',
  'neutral',
  'porn',
  'sexy',
] as const satisfies readonly (keyof ClassScores)[];

/** The model's description, as nsfwjs stores it in `model.min.js`. */
interface ModelDescription {
  readonly modelTopology: object;
  readonly format: string;
  readonly generatedBy: string;
  readonly convertedBy: string | null;
  readonly weightsManifest: readonly {
    readonly paths: readonly string[];
    readonly weights: io.WeightsManifestEntry[];
  }[];
}

/**
 * The model MobileNetV2Mid of nsfwjs on TensorFlow's wasm backend. It is loaded from the npm package, never from the
 * network, in a quarter of a second; the loader of nsfwjs takes 8 s and 1.5 GB for the same model.
 */
export class NsfwModel {
  private constructor(private readonly graph: GraphModel) {}

  /** Loads the model and runs it once. Throws if TensorFlow's wasm backend can't start. */
  static async load(): Promise<NsfwModel> {
    setWasmPaths(join(dirname(require.resolve('@tensorflow/tfjs-backend-wasm')), '/'));
    if (!(await setBackend('wasm'))) throw new Error("TensorFlow's wasm backend can't start");
    const model = new NsfwModel(await loadGraphModel({ load: async () => readBundledModel() }));
    // The first run compiles the model, so no picture has to wait for that.
    model.classify(new Uint8Array(MODEL_EDGE * MODEL_EDGE * CHANNELS));
    return model;
  }

  /**
   * Returns the scores of one picture: `MODEL_EDGE`² sRGB pixels of three bytes. Blocks the thread for about 40 ms.
   */
  classify(pixels: Uint8Array): ClassScores {
    const probabilities = tidy(() => {
      const shape: [number, number, number, number] = [1, MODEL_EDGE, MODEL_EDGE, CHANNELS];
      const input = div(tensor4d(new Float32Array(pixels), shape), 255);
      return (this.graph.predict(input) as Tensor).dataSync();
    });
    const scores = CLASSES.map((name, index) => [name, probabilities[index]]);
    return Object.fromEntries(scores) as Record<(typeof CLASSES)[number], number>;
  }
}

function readBundledModel(): io.ModelArtifacts {
  const folder = join(dirname(require.resolve('nsfwjs')), '..', 'models', 'mobilenet_v2_mid');
  const description = takeModule<ModelDescription>(join(folder, 'model.min.js'));
  const shards = description.weightsManifest.flatMap(({ paths }) =>
    paths.map((path) => Buffer.from(takeModule<string>(join(folder, `${path}.min.js`)), 'base64')),
  );
  return {
    modelTopology: description.modelTopology,
    format: description.format,
    generatedBy: description.generatedBy,
    convertedBy: description.convertedBy,
    weightSpecs: description.weightsManifest.flatMap(({ weights }) => weights),
    weightData: Uint8Array.from(Buffer.concat(shards)).buffer,
  };
}

/** Loads a CommonJS file and removes it from the module cache, where six megabytes of base64 would stay. */
function takeModule<Exports>(path: string): Exports {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const exports = require(path) as Exports;
  delete require.cache[path];
  return exports;
}
