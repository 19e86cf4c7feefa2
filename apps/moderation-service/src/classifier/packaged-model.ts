import { dirname, join } from 'node:path';

/** A step of the model, as TensorFlow describes it. */
export interface ModelNode {
  readonly name: string;
  readonly op: string;
  readonly input?: readonly string[];
  readonly attr: {
    readonly strides?: { readonly list: { readonly i: readonly string[] } };
    /** These texts are in base64. */
    readonly padding?: { readonly s: string };
    readonly fused_ops?: { readonly list: { readonly s: readonly string[] } };
  };
}

/** Weights, row by row. */
export interface Weights {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

export interface PackagedModel {
  readonly nodes: readonly ModelNode[];
  readonly weights: ReadonlyMap<string, Weights>;
}

/** The model's description, as nsfwjs stores it in `model.min.js`. */
interface ModelDescription {
  readonly modelTopology: { readonly node: readonly ModelNode[] };
  readonly weightsManifest: readonly {
    readonly paths: readonly string[];
    readonly weights: readonly {
      readonly name: string;
      readonly shape: readonly number[];
      readonly quantization: { readonly dtype: string; readonly min: number; readonly scale: number };
    }[];
  }[];
}

/** Reads the model MobileNetV2Mid from the npm package nsfwjs. Throws if its weights are stored in another way. */
export function readPackagedModel(): PackagedModel {
  const folder = join(dirname(require.resolve('nsfwjs')), '..', 'models', 'mobilenet_v2_mid');
  const { modelTopology, weightsManifest } = takeModule<ModelDescription>(join(folder, 'model.min.js'));
  const shards = weightsManifest.flatMap(({ paths }) =>
    paths.map((path) => Buffer.from(takeModule<string>(join(folder, `${path}.min.js`)), 'base64')),
  );
  const bytes = Buffer.concat(shards);
  const weights = new Map<string, Weights>();
  let at = 0;
  for (const { name, shape, quantization } of weightsManifest.flatMap((group) => group.weights)) {
    const { dtype, min, scale } = quantization;
    if (dtype !== 'uint8') throw new Error(`Weights of the model are stored as ${dtype}, not as uint8`);
    const size = shape.reduce((product, edge) => product * edge, 1);
    const values = new Float32Array(size);
    for (let index = 0; index < size; index++) values[index] = (bytes[at + index] ?? 0) * scale + min;
    weights.set(name, { shape, values });
    at += size;
  }
  if (at !== bytes.length) throw new Error(`The model has ${bytes.length} bytes of weights, not ${at}`);
  return { nodes: modelTopology.node, weights };
}

/** Loads a CommonJS file and removes it from the module cache, where six megabytes of base64 would stay. */
function takeModule<Exports>(path: string): Exports {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const exports = require(path) as Exports;
  delete require.cache[path];
  return exports;
}
