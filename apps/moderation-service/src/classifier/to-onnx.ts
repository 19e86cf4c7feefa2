import { type ModelNode, type PackagedModel, type Weights } from './packaged-model';
import { ONNX_UINT8, OnnxWriter } from './onnx-writer';

/** The names of the converted model's input and output. */
export const INPUT = 'pixels';
export const OUTPUT = 'scores';

const CHANNELS = 3;
const LARGEST_BYTE = 255;

/**
 * Converts the packaged model to ONNX. The input is `edge`² pixels of three bytes for each picture, the output one
 * score for each of `classes`. TensorFlow keeps the colours of a pixel together, ONNX each colour's pixels, so the
 * weights change their order; their values stay the same. Throws for a step that this model doesn't have.
 */
export function toOnnx(model: PackagedModel, edge: number, classes: number): Buffer {
  const conversion = new Conversion(model);
  for (const node of model.nodes) conversion.add(node);
  return conversion.writer.finish(
    { name: INPUT, type: ONNX_UINT8, shape: [edge, edge, CHANNELS] },
    { name: OUTPUT, shape: [classes] },
  );
}

class Conversion {
  readonly writer = new OnnxWriter();
  private readonly zero = this.scalar(0);
  private readonly six = this.scalar(6);

  constructor(private readonly model: PackagedModel) {}

  add(node: ModelNode): void {
    const [first = '', second = ''] = node.input ?? [];
    switch (node.op) {
      case 'Placeholder':
      case 'Const':
        return;
      case 'Mul':
        // The only product: of the input, between 0 and 1, and a number.
        this.writer.node('Cast', [INPUT], 'numbers', { to: 1 });
        this.writer.node('Transpose', ['numbers'], 'colours', { perm: [0, 3, 1, 2] });
        return this.writer.node(
          'Mul',
          ['colours', this.scalar(this.number(first) / LARGEST_BYTE)],
          node.name,
        );
      case 'Sub':
        return this.writer.node('Sub', [first, this.scalar(this.number(second))], node.name);
      case '_FusedConv2D':
        return this.convolution(node, [3, 2, 0, 1]);
      case 'FusedDepthwiseConv2dNative':
        return this.convolution(node, [2, 3, 0, 1]);
      case 'AddV2':
        return this.writer.node('Add', [first, second], node.name);
      case 'AvgPool':
        return this.writer.node('GlobalAveragePool', [first], node.name);
      case 'Squeeze':
        return this.writer.node('Flatten', [first], node.name);
      case '_FusedMatMul':
        return this.writer.node('Gemm', this.withWeights(node), node.name);
      case 'Softmax':
        return this.writer.node('Softmax', [first], node.name, { axis: 1 });
      case 'Identity':
        return this.writer.node('Identity', [first], OUTPUT);
      default:
        throw new Error(`The model has a step ${node.op}, which can't be converted`);
    }
  }

  /** A convolution with its offsets and, if it has one, its limit of the output to 0 … 6. */
  private convolution(node: ModelNode, order: readonly number[]): void {
    const [input = '', filter = '', offset = ''] = node.input ?? [];
    const reordered = reorder(this.weights(filter), order);
    const { strides, padding, fused_ops } = node.attr;
    const limited = (fused_ops?.list.s ?? []).map(fromBase64).includes('Relu6');
    const output = limited ? `${node.name}/unlimited` : node.name;
    this.writer.node('Conv', [input, this.weight(reordered), this.weight(this.weights(offset))], output, {
      strides: (strides?.list.i ?? []).slice(1, 3).map(Number),
      auto_pad: fromBase64(padding?.s ?? '') === 'SAME' ? 'SAME_UPPER' : 'VALID',
      // A filter of one channel sees only its own channel of the input.
      group: node.op === 'FusedDepthwiseConv2dNative' ? (reordered.shape[0] ?? 1) : 1,
    });
    if (limited) this.writer.node('Clip', [output, this.zero, this.six], node.name);
  }

  private withWeights({ input: [first = '', ...others] = [] }: ModelNode): readonly string[] {
    return [first, ...others.map((name) => this.weight(this.weights(name)))];
  }

  private weights(name: string): Weights {
    const found = this.model.weights.get(name);
    if (!found) throw new Error(`The model lacks the weights ${name}`);
    return found;
  }

  private number(name: string): number {
    return this.weights(name).values[0] ?? NaN;
  }

  private weight({ shape, values }: Weights): string {
    return this.writer.weight(shape, values);
  }

  private scalar(value: number): string {
    return this.writer.weight([], Float32Array.of(value));
  }
}

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString();

/** The same four-dimensional weights with their dimensions in another order. */
function reorder({ shape, values }: Weights, order: readonly number[]): Weights {
  const steps = shape.map((_, dimension) =>
    shape.slice(dimension + 1).reduce((product, edge) => product * edge, 1),
  );
  const edges = order.map((dimension) => shape[dimension] ?? 0);
  const [a = 0, b = 0, c = 0, d = 0] = edges;
  const [stepA = 0, stepB = 0, stepC = 0, stepD = 0] = order.map((dimension) => steps[dimension] ?? 0);
  const result = new Float32Array(values.length);
  let at = 0;
  for (let i = 0; i < a; i++)
    for (let j = 0; j < b; j++)
      for (let k = 0; k < c; k++)
        for (let l = 0; l < d; l++) result[at++] = values[i * stepA + j * stepB + k * stepC + l * stepD] ?? 0;
  return { shape: edges, values: result };
}
