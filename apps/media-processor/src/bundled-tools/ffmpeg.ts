import { writeSync } from 'node:fs';
import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Codec } from 'node-av/lib';
import { type CommandLine, type FileArguments, parseCommandLine } from './command-line';
import { CopiedTrack } from './copied-track';
import { EncodedTrack } from './encoded-track';
import { FilterGraph } from './filter-graph';
import { InputFile } from './input-file';
import type { InputStream } from './input-stream';
import { OutputFile } from './output-file';
import { NONE } from './timestamps';
import { ToolError } from './tool-error';

/** Milliseconds between two reports of the progress. */
const REPORT_EVERY_MS = 500;
/** The label of a filter graph's end that has none. */
const UNNAMED = 'result';
/** The share of failed packets above which a run fails, and the exit code then: as ffmpeg's `max_error_rate`. */
const MAX_ERROR_RATE = 2 / 3;
const ERROR_RATE_EXCEEDED = 69;

interface FoundStream {
  readonly file: InputFile;
  readonly stream: InputStream;
}

/** Does what ffmpeg does with these arguments. Throws `ToolError`. */
export function ffmpeg(args: readonly string[]): void {
  if (args.includes('-decoders')) listDecoders();
  else new Conversion(parseCommandLine(args)).run();
}

/** One line for each decoder, after six letters for its kind and abilities, of which only the kind is told. */
function listDecoders(): void {
  const kinds = new Map<number, string>([
    [AVMEDIA_TYPE_VIDEO, 'V'],
    [AVMEDIA_TYPE_AUDIO, 'A'],
  ]);
  const decoders = Codec.getCodecList().filter((codec) => codec.isDecoder());
  const lines = decoders.map(
    (codec) => ` ${kinds.get(codec.type) ?? 'S'}..... ${codec.name} ${codec.longName}\n`,
  );
  writeSync(1, `Decoders:\n ------\n${lines.join('')}`);
}

/** One run of ffmpeg: inputs, filter graphs and outputs. */
class Conversion {
  private readonly inputs: readonly InputFile[];
  private readonly outputs: readonly OutputFile[];
  private readonly tracks: { readonly isOpen: boolean }[] = [];
  private readonly complexGraph: FilterGraph | undefined;
  private reportedAt = performance.now();

  constructor(private readonly line: CommandLine) {
    this.inputs = line.inputs.map((file) => new InputFile(file, line));
    if (line.filterComplex !== undefined) this.complexGraph = this.makeComplexGraph(line.filterComplex);
    this.outputs = line.outputs.map((file) => this.open(file));
  }

  run(): void {
    while (this.tracks.some(({ isOpen }) => isOpen)) {
      const input = this.nextInput();
      if (!input) break;
      input.read();
      this.report();
    }
    for (const output of this.outputs) output.finish();
    this.report(true);
    this.checkErrorRate();
  }

  /** The input that is read next: of those that are still needed, the one that has been read the least far. */
  private nextInput(): InputFile | undefined {
    const [first, ...others] = this.inputs.filter(({ isNeeded }) => isNeeded);
    return others.reduce(
      (least, input) => (least && input.position >= least.position ? least : input),
      first,
    );
  }

  private open(file: FileArguments): OutputFile {
    const output = new OutputFile(file);
    const { options } = output;
    const maps = options.takeAll('map').map(({ value }) => value);
    const isSilent = options.take('an') !== undefined;
    for (const map of maps.length > 0 ? maps : this.defaultMaps(output)) {
      const label = /^\[(.+)\]$/.exec(map)?.[1];
      if (label !== undefined) {
        const track = this.encode(output, 'v');
        this.graphFor(map).addOutput(label, track);
      } else {
        for (const found of this.find(map)) {
          if (!(isSilent && found.stream.kind === 'a')) this.add(output, found);
        }
      }
    }
    if (output.tracks.length === 0)
      throw new ToolError(`Output file ${file.url} does not contain any stream`);
    output.complete();
    return output;
  }

  private graphFor(map: string): FilterGraph {
    if (!this.complexGraph) throw new ToolError(`There is no filter graph for '${map}'`);
    return this.complexGraph;
  }

  /** Without `-map`: the result of the filter graph, or the first picture and, if the format has sound, the first sound. */
  private defaultMaps(output: OutputFile): string[] {
    const format = output.context.oformat;
    const isUsed = (kind: 'v' | 'a'): boolean =>
      (kind === 'v' ? format?.videoCodec : format?.audioCodec) !== 0;
    return (['v', 'a'] as const).flatMap((kind) => {
      if (kind === 'v' && this.complexGraph) return [`[${UNNAMED}]`];
      const file = this.inputs.findIndex(({ streams }) => streams.some((stream) => stream.kind === kind));
      return isUsed(kind) && file >= 0 ? [`${file}:${kind}:0`] : [];
    });
  }

  /** The streams that a map such as `0:v:0`, `1:3`, `0:a?` or `0` names. Throws `ToolError` if there is none. */
  private find(map: string): FoundStream[] {
    const [number = '', first, second] = map.replace(/\?$/, '').split(':');
    const file = this.inputs[Number(number)];
    if (!file) throw new ToolError(`Invalid input file index in '${map}'`);
    let streams = file.streams.filter(
      (stream) => !first || stream.kind === first || stream.name.endsWith(`:${first}`),
    );
    if (second !== undefined) streams = streams.slice(Number(second), Number(second) + 1);
    if (streams.length === 0 && !map.endsWith('?'))
      throw new ToolError(`Stream map '${map}' matches no streams`);
    return streams.map((stream) => ({ file, stream }));
  }

  private add(output: OutputFile, { file, stream }: FoundStream): void {
    const { kind } = stream;
    const { options } = output;
    if (options.take('c', kind) === 'copy') {
      const track = new CopiedTrack(stream, output.addTrack(kind));
      this.tracks.push(track);
      // Options for an encoder, which a copy doesn't need.
      return;
    }
    if (kind !== 'v' && kind !== 'a') throw new ToolError(`Stream ${stream.name} can only be copied`);
    const track = this.encode(output, kind);
    const filters = options.take(kind === 'v' ? 'vf' : 'af') ?? (kind === 'v' ? 'null' : 'anull');
    const graph = new FilterGraph(`[in]${filters}[out]`, this.line.filterThreads);
    graph.addOutput('out', track);
    graph.addInput('in', file, stream);
  }

  private encode(output: OutputFile, kind: 'v' | 'a'): EncodedTrack {
    const track = new EncodedTrack(output, output.addTrack(kind), kind, this.line.vsync);
    this.tracks.push(track);
    return track;
  }

  /** A graph with an input for each label that names a stream, such as `[0:2]`. */
  private makeComplexGraph(description: string): FilterGraph {
    // The end of the last chain may have no label.
    const complete = description.endsWith(']') ? description : `${description}[${UNNAMED}]`;
    const graph = new FilterGraph(complete, this.line.filterComplexThreads);
    const labels = new Set(
      Array.from(description.matchAll(/\[(\d+(?::\w+)*)\]/g), ([, label = '']) => label),
    );
    for (const label of labels) {
      const [found] = this.find(/^\d+$/.test(label) ? `${label}:v` : label);
      if (found) graph.addInput(label, found.file, found.stream);
    }
    return graph;
  }

  /** Writes how far the outputs are, in ffmpeg's form. */
  private report(isLast = false): void {
    const now = performance.now();
    if (!this.line.showsProgress || (!isLast && now - this.reportedAt < REPORT_EVERY_MS)) return;
    this.reportedAt = now;
    const end = this.outputs.map((output) => output.end).reduce((a, b) => (a > b ? a : b), NONE);
    writeSync(1, `out_time=${end === NONE ? 'N/A' : clock(end)}\nprogress=${isLast ? 'end' : 'continue'}\n`);
  }

  private checkErrorRate(): void {
    const results = this.inputs.flatMap(({ streams }) => streams.map((stream) => stream.results));
    const sum = (kind: 'good' | 'bad'): number => results.reduce((total, result) => total + result[kind], 0);
    const [good, bad] = [sum('good'), sum('bad')];
    if (bad > (good + bad) * MAX_ERROR_RATE) {
      throw new ToolError(`${bad} of ${good + bad} packets could not be decoded`, ERROR_RATE_EXCEEDED);
    }
  }
}

/** Microseconds as hours, minutes and seconds with six decimals. */
function clock(time: bigint): string {
  const [sign, seconds] = [time < 0n ? '-' : '', Number(time < 0n ? -time : time) / 1e6];
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${sign}${parts.join(':')}:${(seconds % 60).toFixed(6).padStart(9, '0')}`;
}
