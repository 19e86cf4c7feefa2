/** One attribute of a node: a whole number, a list of them, or a text. */
export type OnnxAttribute = number | readonly number[] | string;

/** The type numbers of ONNX (`TensorProto.DataType`). */
const ONNX_FLOAT = 1;
export const ONNX_UINT8 = 2;

/** Version 8 of the format and 13 of the operators: all runtimes since 2021 read them. */
const FORMAT_VERSION = 8;
const OPERATORS_VERSION = 13;

/**
 * Writes a model as an ONNX file: nodes in the order in which they run, and their weights. It writes only those fields
 * of the format that a model with one input and one output needs, so it needs no library for protocol buffers.
 */
export class OnnxWriter {
  private readonly nodes: Buffer[] = [];
  private readonly weights: Buffer[] = [];

  /** Adds weights, row by row, and returns the name by which nodes use them. */
  weight(shape: readonly number[], values: Float32Array): string {
    const name = `weight-${this.weights.length}`;
    const content = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    this.weights.push(
      Buffer.concat([
        ...shape.map((edge) => whole(1, edge)),
        whole(2, ONNX_FLOAT),
        text(8, name),
        bytes(9, content),
      ]),
    );
    return name;
  }

  /** Adds a node that computes `output` from other nodes' outputs, weights or the model's input. */
  node(
    operator: string,
    inputs: readonly string[],
    output: string,
    attributes: Readonly<Record<string, OnnxAttribute>> = {},
  ): void {
    this.nodes.push(
      Buffer.concat([
        ...inputs.map((input) => text(1, input)),
        text(2, output),
        text(4, operator),
        ...Object.entries(attributes).map(([name, value]) => bytes(5, attribute(name, value))),
      ]),
    );
  }

  /** The file. `input` and `output` have one more dimension in front, for the number of pictures. */
  finish(
    input: { readonly name: string; readonly type: number; readonly shape: readonly number[] },
    output: { readonly name: string; readonly shape: readonly number[] },
  ): Buffer {
    const graph = Buffer.concat([
      ...this.nodes.map((node) => bytes(1, node)),
      text(2, 'model'),
      ...this.weights.map((weight) => bytes(5, weight)),
      bytes(11, port(input.name, input.type, input.shape)),
      bytes(12, port(output.name, ONNX_FLOAT, output.shape)),
    ]);
    return Buffer.concat([whole(1, FORMAT_VERSION), bytes(7, graph), bytes(8, whole(2, OPERATORS_VERSION))]);
  }
}

/** An input or output of the model. */
function port(name: string, type: number, shape: readonly number[]): Buffer {
  const edges = [text(2, 'pictures'), ...shape.map((edge) => whole(1, edge))];
  const tensor = Buffer.concat([
    whole(1, type),
    bytes(2, Buffer.concat(edges.map((edge) => bytes(1, edge)))),
  ]);
  return Buffer.concat([text(1, name), bytes(2, bytes(1, tensor))]);
}

function attribute(name: string, value: OnnxAttribute): Buffer {
  if (typeof value === 'string') return Buffer.concat([text(1, name), text(4, value), whole(20, 3)]);
  if (typeof value === 'number') return Buffer.concat([text(1, name), whole(3, value), whole(20, 2)]);
  return Buffer.concat([text(1, name), ...value.map((each) => whole(8, each)), whole(20, 7)]);
}

/** The fields of a protocol buffer: its number and kind, then a whole number, or bytes after their length. */
const whole = (field: number, value: number): Buffer => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field: number, content: Uint8Array): Buffer =>
  Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
const text = (field: number, value: string): Buffer => bytes(field, Buffer.from(value));

/** Seven bits a byte, the lowest first. */
function varint(value: number): Buffer {
  const parts: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) parts.push((rest % 128) + 128);
  return Buffer.from([...parts, rest]);
}
