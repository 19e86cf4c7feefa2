import { AVERROR_EOF } from 'node-av/constants';
import {
  avChannelLayoutDefault,
  avChannelLayoutDescribe,
  avGetSampleFmtName,
  type ChannelLayout,
  type CodecContext,
  type FilterContext,
  FilterGraph as NativeGraph,
  Frame,
} from 'node-av/lib';
import type { EncodedTrack } from './encoded-track';
import type { InputFile } from './input-file';
import type { Consumer, InputStream } from './input-stream';
import { displayMatrixOf, uprightFilters } from './rotation';
import { isKnown } from './timestamps';
import { checked, isTryAgain, ToolError } from './tool-error';

/** A place at which the frames of a stream enter a graph. */
class GraphInput implements Consumer<Frame> {
  /** The filter into which frames go; null until the graph is made. */
  source: FilterContext | null = null;
  /** What the graph was made for; empty before the first frame. */
  format = '';
  /** Frames that came before the other inputs had any. */
  readonly waiting: Frame[] = [];
  hasEnded = false;
  private readonly decoder: CodecContext;

  constructor(
    private readonly graph: FilterGraph,
    readonly label: string,
    readonly file: InputFile,
    private readonly stream: InputStream,
  ) {
    this.decoder = stream.decodeTo(this);
  }

  get isOpen(): boolean {
    return !this.hasEnded && this.graph.isOpen;
  }

  take(frame: Frame): void {
    if (this.stream.kind === 'a') frame.channelLayout = knownLayout(frame.channelLayout);
    const format = this.stream.kind === 'a' ? soundFormat(frame) : pictureFormat(frame);
    if (this.format !== '' && this.format !== format) this.graph.clear();
    this.format = format;
    if (this.source) {
      this.add(frame);
      this.graph.drain();
      return;
    }
    const kept = new Frame();
    kept.alloc();
    checked(kept.ref(frame), 'Error while keeping a frame');
    this.waiting.push(kept);
    this.graph.start();
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    if (this.source) this.source.buffersrcAddFrameSync(null);
    else this.graph.start();
    this.graph.drain();
  }

  /** Connects the input to the filter that was made for it, and passes on what waited. */
  connect(source: FilterContext): void {
    this.source = source;
    for (const frame of this.waiting.splice(0)) {
      this.add(frame);
      frame.free();
    }
    if (this.hasEnded) source.buffersrcAddFrameSync(null);
  }

  /** The filter at which a graph for this input begins, in the language of filter graphs. */
  describe(): string {
    if (this.format === '') {
      this.format = this.stream.kind === 'a' ? soundFormat(this.decoder) : pictureFormat(this.decoder);
    }
    return this.stream.kind === 'a' ? this.describeSound() : this.describePicture();
  }

  private add(frame: Frame): void {
    const result = this.source?.buffersrcAddFrameSync(frame) ?? 0;
    if (result === AVERROR_EOF) this.hasEnded = true;
    else checked(result, 'Error while filtering');
  }

  private describePicture(): string {
    const { stream, label } = this;
    const { num, den } = stream.timeBase;
    const rate = stream.stream.rFrameRate;
    const first = this.waiting[0] ?? this.decoder;
    const aspect = first.sampleAspectRatio;
    const options = [
      `${this.format}:time_base=${num}/${den}`,
      `pixel_aspect=${isKnown(aspect) ? `${aspect.num}/${aspect.den}` : '0/1'}`,
      // The encoder derives its level from the frame rate.
      ...(isKnown(rate) ? [`frame_rate=${rate.num}/${rate.den}`] : []),
    ];
    return this.chain(
      `buffer@${label}=${options.join(':')}`,
      'trim',
      uprightFilters(displayMatrixOf(stream.parameters)),
    );
  }

  private describeSound(): string {
    const { sampleRate } = this.waiting[0] ?? this.decoder;
    return this.chain(`abuffer@${this.label}=${this.format}:time_base=1/${sampleRate}`, 'atrim', []);
  }

  private chain(source: string, trim: string, filters: readonly string[]): string {
    const { isCut, length } = this.file;
    const part = isCut ? [`${trim}=start=0${length === undefined ? '' : `:duration=${length}us`}`] : [];
    return `${[source, ...filters, ...part].join(',')}[${this.label}]`;
  }
}

type PictureFacts = Pick<Frame, 'width' | 'height' | 'colorSpace' | 'colorRange'>;
type SoundFacts = Pick<Frame, 'sampleRate' | 'channelLayout'>;

const formatNumber = (of: Frame | CodecContext, kind: 'pixelFormat' | 'sampleFormat'): number =>
  of instanceof Frame ? of.format : of[kind];

function pictureFormat(of: (PictureFacts & Frame) | CodecContext): string {
  const format = formatNumber(of, 'pixelFormat');
  if (format < 0 || of.width <= 0) throw new ToolError('The pixel format of a stream is unknown');
  const alpha = of instanceof Frame ? `:alpha_mode=${of.alphaMode}` : '';
  return `video_size=${of.width}x${of.height}:pix_fmt=${format}:colorspace=${of.colorSpace}:range=${of.colorRange}${alpha}`;
}

function soundFormat(of: (SoundFacts & Frame) | CodecContext): string {
  const name = avGetSampleFmtName(formatNumber(of, 'sampleFormat') as Frame['format'] as never);
  if (!name || of.sampleRate <= 0) throw new ToolError('The sample format of a stream is unknown');
  const layout = avChannelLayoutDescribe(knownLayout(of.channelLayout));
  return `sample_rate=${of.sampleRate}:sample_fmt=${name}:channel_layout=${layout}`;
}

/** The usual layout for a number of channels if the file gives only their number. */
const knownLayout = (layout: ChannelLayout): ChannelLayout =>
  layout.order === 0 ? avChannelLayoutDefault(layout.nbChannels) : layout;

/** An output of a graph: its label, and the track that encodes its frames. */
interface GraphOutput {
  readonly label: string;
  readonly track: EncodedTrack;
}

/** A filter graph between decoders and encoders, made when every input has a frame or has ended. */
export class FilterGraph {
  private readonly inputs: GraphInput[] = [];
  private readonly outputs: GraphOutput[] = [];
  private native: NativeGraph | null = null;
  private sinks: { readonly sink: FilterContext; readonly track: EncodedTrack }[] = [];
  private readonly frame = new Frame();

  /** `description`: filters in ffmpeg's language, whose open ends have the labels of the inputs and outputs. */
  constructor(
    private readonly description: string,
    private readonly threads: number,
  ) {
    this.frame.alloc();
  }

  get isOpen(): boolean {
    return this.outputs.some(({ track }) => track.isOpen);
  }

  /** Throws `ToolError` if the stream can't be decoded. */
  addInput(label: string, file: InputFile, stream: InputStream): void {
    this.inputs.push(new GraphInput(this, label, file, stream));
  }

  addOutput(label: string, track: EncodedTrack): void {
    this.outputs.push({ label, track });
  }

  /** Makes the graph if every input is ready. Throws `ToolError`. */
  start(): void {
    if (this.native || !this.inputs.every(({ waiting, hasEnded }) => waiting.length > 0 || hasEnded)) return;
    this.build();
    // An encoder of sound takes frames of a size that is known once it is open, which takes a graph.
    let isComplete = true;
    for (const { sink, track } of this.sinks) isComplete = track.open(sink) && isComplete;
    if (!isComplete) this.build();
    for (const input of this.inputs)
      input.connect(this.filter(`buffer@${input.label}`, `abuffer@${input.label}`));
    this.drain();
  }

  /** Passes on all frames of the graph, and removes it: the next frame has another format. */
  clear(): void {
    for (const input of this.inputs) {
      input.source?.buffersrcAddFrameSync(null);
      input.source = null;
    }
    this.drain(false);
    this.native?.free();
    this.native = null;
    this.sinks = [];
  }

  /** Passes the frames that are ready to the tracks, and by default the end of each too. */
  drain(ends = true): void {
    for (const { sink, track } of this.sinks) {
      for (;;) {
        const result = sink.buffersinkGetFrameSync(this.frame);
        if (isTryAgain(result)) break;
        if (result === AVERROR_EOF) {
          if (ends) track.end();
          break;
        }
        checked(result, 'Error while filtering');
        if (track.isOpen) track.take(this.frame, sink.buffersinkGetTimeBase());
        this.frame.unref();
      }
    }
  }

  private build(): void {
    this.native?.free();
    const graph = new NativeGraph();
    graph.alloc();
    graph.nbThreads = this.threads;
    const text = [
      ...this.inputs.map((input) => input.describe()),
      this.description,
      ...this.outputs.map(({ label, track }) => `[${label}]${track.lastFilters(label)}`),
    ].join(';');
    checked(graph.parse2(text), `Error initializing the filters '${this.description}'`);
    checked(graph.configSync(), `Error initializing the filters '${this.description}'`);
    this.native = graph;
    this.sinks = this.outputs.map(({ label, track }) => ({
      sink: this.filter(`buffersink@${label}`, `abuffersink@${label}`),
      track,
    }));
  }

  private filter(...names: readonly string[]): FilterContext {
    const found = names.map((name) => this.native?.getFilter(name)).find((filter) => filter);
    if (!found) throw new ToolError(`The filter graph has no ${names[0]}`);
    return found;
  }
}
