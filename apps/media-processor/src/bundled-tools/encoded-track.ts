import {
  AV_CODEC_FLAG_FRAME_DURATION,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PICTURE_TYPE_NONE,
  AVERROR_EOF,
  AVFMT_GLOBALHEADER,
  AVFMT_NOTIMESTAMPS,
  AVFMT_VARIABLE_FPS,
} from 'node-av/constants';
import {
  avChannelLayoutDescribe,
  avGetPixFmtName,
  avGetSampleFmtName,
  Codec,
  CodecContext,
  type FilterContext,
  Frame,
  type IRational,
  Packet,
} from 'node-av/lib';
import type { OutputFile, OutputTrack } from './output-file';
import { isKnown, NONE, readDuration, rescale, toDouble } from './timestamps';
import { checked, isTryAgain, ToolError } from './tool-error';

/** When a picture is dropped or repeated: `cfr` keeps a constant rate, `vfr` only drops, `passthrough` does neither. */
type Sync = 'cfr' | 'vfr' | 'passthrough';
const SYNCS: Readonly<Record<string, Sync>> = {
  cfr: 'cfr',
  vfr: 'vfr',
  passthrough: 'passthrough',
  0: 'passthrough',
};

/** Encodes the frames at the end of a filter graph for one track of an output. */
export class EncodedTrack {
  isOpen = true;
  private readonly codec: Codec;
  private readonly context = new CodecContext();
  private readonly packet = new Packet();
  private readonly shown = new Frame();
  private readonly sync: Sync;
  private readonly pixelFormat: string | undefined;
  private readonly frameRate: string | undefined;
  private readonly channels: string | undefined;
  private readonly sampleRate: string | undefined;
  private readonly length: string | undefined;
  private readonly ownTimeBase: string | undefined;
  /** Frames that may still be encoded. */
  private left: number;
  /** The time of the next frame, in units of the encoder. */
  private next = 0;
  /** Units of the encoder between two frames; 0 if the rate is unknown. */
  private step = 0;

  /** Throws `ToolError` if there is no such encoder. */
  constructor(
    private readonly output: OutputFile,
    private readonly track: OutputTrack,
    private readonly kind: 'v' | 'a',
    vsync: string | undefined,
  ) {
    const { options } = output;
    this.codec = findEncoder(output, kind, options.take('c', kind));
    this.pixelFormat = kind === 'v' ? options.take('pix_fmt') : undefined;
    [this.channels, this.sampleRate] = ['ac', 'ar'].map((name) => options.take(name));
    this.frameRate = kind === 'v' ? options.take('r') : undefined;
    this.length = options.take('t');
    this.left = Number(options.take('frames', kind) ?? Infinity);
    this.ownTimeBase = options.take('enc_time_base');
    this.sync = vsync === undefined ? defaultSync(output) : (SYNCS[vsync] ?? unknownSync(vsync));
    this.context.allocContext3(this.codec);
    options.apply(this.context, kind);
    for (const item of [this.packet, this.shown]) item.alloc();
  }

  /** The end of a filter graph: what the encoder and the output's options demand. */
  lastFilters(label: string): string {
    const trim = this.length === undefined ? [] : [`duration=${readDuration(this.length)}us`];
    if (this.kind === 'v') {
      // Motion JPEG has the full range of values.
      const ranges = this.codec.name === 'mjpeg' ? ':color_ranges=pc' : '';
      const formats = this.pixelFormat ?? names(this.codec.pixelFormats, avGetPixFmtName);
      return [
        ...trim.map((part) => `trim=${part}`),
        ...(this.frameRate === undefined ? [] : [`fps=${this.frameRate}`]),
        ...(formats ? [`format=pix_fmts=${formats}${ranges}`] : []),
        `buffersink@${label}`,
      ].join(',');
    }
    const wanted = Object.entries({
      sample_fmts: names(this.codec.sampleFormats, avGetSampleFmtName),
      sample_rates: this.sampleRate ?? names(this.codec.supportedSamplerates, String),
      channel_layouts: this.channels
        ? `${this.channels}c`
        : names(this.codec.channelLayouts, avChannelLayoutDescribe),
    }).flatMap(([name, list]) => (list ? [`${name}=${list}`] : []));
    const { frameSize } = this.context;
    return [
      ...trim.map((part) => `atrim=${part}`),
      ...(wanted.length > 0 ? [`aformat=${wanted.join(':')}`] : []),
      ...(frameSize > 0 ? [`asetnsamples=n=${frameSize}:p=0`] : []),
      `abuffersink@${label}`,
    ].join(',');
  }

  /**
   * Opens the encoder for the frames that a sink gives. False if the graph must be made again, because the encoder
   * takes frames of a fixed number of samples. Throws `ToolError`.
   */
  open(sink: FilterContext): boolean {
    const { context, track, output, kind } = this;
    if (context.isOpen) return true;
    const rate = sink.buffersinkGetFrameRate();
    if (kind === 'v') {
      context.width = sink.buffersinkGetWidth();
      context.height = sink.buffersinkGetHeight();
      context.pixelFormat = sink.buffersinkGetFormat() as CodecContext['pixelFormat'];
      context.sampleAspectRatio = sink.buffersinkGetSampleAspectRatio();
      context.colorSpace = sink.buffersinkGetColorspace();
      context.colorRange = sink.buffersinkGetColorRange();
      if (isKnown(rate)) context.framerate = rate;
      context.setFlags(AV_CODEC_FLAG_FRAME_DURATION);
    } else {
      context.sampleRate = sink.buffersinkGetSampleRate();
      context.sampleFormat = sink.buffersinkGetFormat() as CodecContext['sampleFormat'];
      context.channelLayout = sink.buffersinkGetChannelLayout();
    }
    context.timeBase = this.timeBaseFor(sink, rate) as CodecContext['timeBase'];
    if (isKnown(rate)) this.step = 1 / (toDouble(rate) * toDouble(context.timeBase));
    if (output.has(AVFMT_GLOBALHEADER)) context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    if (kind === 'v') context.setOption('threads', 'auto');
    output.options.apply(context, kind);
    checked(context.open2Sync(this.codec, null), `Error while opening encoder ${this.codec.name ?? ''}`);
    if (isKnown(rate)) track.stream.avgFrameRate = rate;
    if (kind === 'v') track.stream.sampleAspectRatio = context.sampleAspectRatio;
    track.describe((parameters) => {
      checked(parameters.fromContext(context), 'Error initializing an output stream');
    }, context.timeBase);
    return kind === 'v' || context.frameSize === 0;
  }

  /** Encodes a frame, whose time is in units of `timeBase`. */
  take(frame: Frame, timeBase: IRational): void {
    if (this.kind === 'a') this.takeSound(frame, timeBase);
    else this.takePicture(frame, timeBase);
  }

  /** Encodes what the encoder still holds, and ends the track. */
  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    if (!this.context.isOpen) return;
    this.encode(null);
    this.track.write(null);
  }

  private timeBaseFor(sink: FilterContext, rate: IRational): IRational {
    if (this.kind === 'a') return { num: 1, den: this.context.sampleRate };
    const [num = 0, den = 0] = this.ownTimeBase?.split('/').map(Number) ?? [];
    if (num > 0 && den > 0) return { num, den };
    return isKnown(rate) ? { num: rate.den, den: rate.num } : sink.buffersinkGetTimeBase();
  }

  private takeSound(frame: Frame, timeBase: IRational): void {
    if (frame.pts === NONE) frame.pts = BigInt(this.next);
    else frame.pts = rescale(frame.pts, timeBase, this.context.timeBase);
    this.next = Number(frame.pts) + frame.nbSamples;
    this.encode(frame);
  }

  /** Decides when and how often a picture is shown, as ffmpeg's program does. */
  private takePicture(frame: Frame, timeBase: IRational): void {
    const unit = toDouble(timeBase) / toDouble(this.context.timeBase);
    let at = frame.pts === NONE ? this.next : Number(frame.pts) * unit;
    const length = this.step || Number(frame.duration) * unit;
    let early = at - this.next;
    const late = early + length;
    let times = 1;
    let repeatsBefore = 0;
    if (early < 0 && late > 0 && this.sync !== 'passthrough') {
      at = this.next;
      early = 0;
    }
    if (this.sync === 'passthrough') this.next = roundEven(at);
    else if (this.sync === 'vfr') {
      if (late <= -0.6) times = 0;
      else if (late > 0.6) this.next = roundEven(at);
    } else if (late < -1.1) times = 0;
    else if (late > 1.1) {
      times = roundEven(late);
      if (early > 1.1) repeatsBefore = roundEven(early - 0.6);
    }
    frame.pictType = AV_PICTURE_TYPE_NONE;
    frame.duration = BigInt(Math.round(this.sync === 'cfr' ? 1 : Number(frame.duration) * unit));
    for (let time = 0; time < times && this.left > 0; time++) {
      const picture = time < repeatsBefore && this.shown.width > 0 ? this.shown : frame;
      picture.pts = BigInt(this.next++);
      this.encode(picture);
      this.left--;
    }
    if (this.left <= 0) this.end();
    else if (this.sync === 'cfr') {
      this.shown.unref();
      checked(this.shown.ref(frame), 'Error while keeping a frame');
    }
  }

  private encode(frame: Frame | null): void {
    const { context, packet } = this;
    checked(context.sendFrameSync(frame), 'Error while encoding');
    for (;;) {
      const result = context.receivePacketSync(packet);
      if (isTryAgain(result) || result === AVERROR_EOF) return;
      checked(result, 'Error while encoding');
      this.track.write(packet);
      packet.unref();
    }
  }
}

function findEncoder(output: OutputFile, kind: 'v' | 'a', name: string | undefined): Codec {
  const format = output.context.oformat;
  const usual = kind === 'v' ? format?.videoCodec : format?.audioCodec;
  const codec =
    name === undefined
      ? usual !== undefined && Codec.findEncoder(usual)
      : Codec.getCodecList().find((known) => known.name === name && known.isEncoder());
  if (!codec) throw new ToolError(`Unknown encoder '${name ?? ''}'`);
  return codec;
}

function defaultSync(output: OutputFile): Sync {
  if (!output.has(AVFMT_VARIABLE_FPS)) return 'cfr';
  return output.has(AVFMT_NOTIMESTAMPS) ? 'passthrough' : 'vfr';
}

function unknownSync(vsync: string): never {
  throw new ToolError(`Unknown method '${vsync}' for -vsync`);
}

function names<T>(list: readonly T[] | null, nameOf: (item: T) => string | null): string {
  return (list ?? []).map(nameOf).filter(Boolean).join('|');
}

/** Rounds to the nearest integer, and halves to the even one, like C's `llrint`. */
function roundEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}
