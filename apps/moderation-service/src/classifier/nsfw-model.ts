import type { ClassScores } from '@vitrine/domain';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { readPackagedModel } from './packaged-model';
import { INPUT, OUTPUT, toOnnx } from './to-onnx';

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

/**
 * The model MobileNetV2Mid of nsfwjs on ONNX Runtime, converted when it is loaded (ADR 26). Everything comes from npm
 * packages, nothing from the network.
 */
export class NsfwModel {
  private constructor(private readonly session: InferenceSession) {}

  /** Loads the model and runs it once. Throws if ONNX Runtime has no program for this system. */
  static async load(): Promise<NsfwModel> {
    const session = await InferenceSession.create(toOnnx(readPackagedModel(), MODEL_EDGE, CLASSES.length), {
      // A picture takes 7 ms on one core; more threads would take longer in sum.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
    });
    const model = new NsfwModel(session);
    await model.classify(new Uint8Array(MODEL_EDGE * MODEL_EDGE * CHANNELS));
    return model;
  }

  /** Returns the scores of one picture: `MODEL_EDGE`² sRGB pixels of three bytes. Blocks the thread meanwhile. */
  async classify(pixels: Uint8Array): Promise<ClassScores> {
    const input = new Tensor('uint8', pixels, [1, MODEL_EDGE, MODEL_EDGE, CHANNELS]);
    const { [OUTPUT]: output } = await this.session.run({ [INPUT]: input });
    const probabilities = output?.data as Float32Array;
    const scores = CLASSES.map((name, index) => [name, probabilities[index]]);
    return Object.fromEntries(scores) as Record<(typeof CLASSES)[number], number>;
  }
}
