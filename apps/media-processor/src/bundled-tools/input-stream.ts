import {
  AV_FRAME_FLAG_CORRUPT,
  AVERROR_EOF,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_SUBTITLE,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import {
  avGetCodecName,
  avRescaleDelta,
  Codec,
  CodecContext,
  type CodecParameters,
  FFmpegError,
  Frame,
  type IRational,
  type Packet,
  type Stream,
} from 'node-av/lib';
import type { FileOptions } from './options';
import { isKnown, MICROSECONDS, NONE, rescale, toDouble } from './timestamps';
import { checked, complain, isTryAgain, ToolError } from './tool-error';

/** What takes packets or frames. It may take over their data, but not the object. */
export interface Consumer<T> {
  /** Whether it takes more. */
  readonly isOpen: boolean;
  take(item: T): void;
  end(): void;
}

export type Kind = 'v' | 'a' | 's' | 'd';

const KINDS = new Map<number, Kind>([
  [AVMEDIA_TYPE_VIDEO, 'v'],
  [AVMEDIA_TYPE_AUDIO, 'a'],
  [AVMEDIA_TYPE_SUBTITLE, 's'],
]);

interface DecoderOptions {
  readonly options: FileOptions;
  /** The name of a decoder for pictures, instead of the usual one. */
  readonly decoder: string | undefined;
  readonly endsOnError: boolean;
}

/** One stream of an input, and its decoder if an output needs its frames. */
export class InputStream {
  readonly kind: Kind;
  readonly parameters: CodecParameters;
  readonly timeBase: IRational;
  /** Microseconds at which the next packet is expected; `NONE` if unknown. */
  expected = NONE;
  /** The latest time, in microseconds, of a packet or a frame. */
  reached = 0n;
  /** Numbers of frames that were decoded, and of failures. */
  readonly results = { good: 0, bad: 0 };
  decoder: CodecContext | undefined;
  private readonly copies: Consumer<Packet>[] = [];
  private readonly viewers: Consumer<Frame>[] = [];
  private readonly frame = new Frame();
  private readonly copy = new Frame();
  /** State of the conversion of a sound's timestamps to numbers of samples. */
  private readonly lastSample = { value: NONE };
  /** The number of the sample after the last frame. */
  private nextSample = NONE;

  constructor(
    readonly name: string,
    readonly stream: Stream,
    private readonly how: DecoderOptions,
  ) {
    this.parameters = stream.codecpar;
    this.timeBase = stream.timeBase;
    this.kind = KINDS.get(this.parameters.codecType) ?? 'd';
    this.frame.alloc();
    this.copy.alloc();
  }

  /** Whether an output still needs this stream. */
  get isNeeded(): boolean {
    return this.copies.some(({ isOpen }) => isOpen) || this.viewers.some(({ isOpen }) => isOpen);
  }

  /** Gives the stream's packets to a consumer as they are. */
  copyTo(consumer: Consumer<Packet>): void {
    this.copies.push(consumer);
  }

  /** Gives the decoded frames to a consumer. Throws `ToolError` if the stream can't be decoded. */
  decodeTo(consumer: Consumer<Frame>): CodecContext {
    this.viewers.push(consumer);
    this.decoder ??= this.openDecoder();
    return this.decoder;
  }

  /** Takes a packet of the file, whose timestamps are already corrected. */
  take(packet: Packet): void {
    this.advance(packet);
    for (const copy of this.copies) if (copy.isOpen) copy.take(packet);
    if (this.decoder && this.viewers.some(({ isOpen }) => isOpen)) this.decode(packet);
  }

  end(): void {
    if (this.decoder) this.decode(null);
    for (const consumer of [...this.copies, ...this.viewers]) consumer.end();
  }

  /** The duration of a packet in microseconds; 0 if unknown. */
  private lengthOf(packet: Packet): bigint {
    if (packet.duration > 0n) return rescale(packet.duration, this.timeBase, MICROSECONDS);
    const { sampleRate, frameSize } = this.parameters;
    if (this.kind === 'a') return sampleRate > 0 ? BigInt(Math.round((frameSize * 1e6) / sampleRate)) : 0n;
    const rate = this.stream.avgFrameRate;
    return isKnown(rate) ? BigInt(Math.round(1e6 / toDouble(rate))) : 0n;
  }

  /** Shifts a packet by microseconds. */
  shift(packet: Packet, by: bigint): void {
    const ticks = rescale(by, MICROSECONDS, this.timeBase);
    if (packet.dts !== NONE) packet.dts += ticks;
    if (packet.pts !== NONE) packet.pts += ticks;
  }

  private advance(packet: Packet): void {
    const length = this.lengthOf(packet);
    let at = rescale(packet.dts, this.timeBase, MICROSECONDS);
    if (at === NONE)
      at = this.expected === NONE ? -length * BigInt(this.parameters.videoDelay) : this.expected;
    if (packet.dts === NONE && this.copies.length > 0) packet.dts = rescale(at, MICROSECONDS, this.timeBase);
    if (at > this.reached) this.reached = at;
    this.expected = length > 0n ? at + length : NONE;
  }

  private openDecoder(): CodecContext {
    const { options, decoder } = this.how;
    const { codecId } = this.parameters;
    const named = this.kind === 'v' ? decoder : undefined;
    const codec = named === undefined ? Codec.findDecoder(codecId) : decoderNamed(named);
    if (!codec) {
      throw new ToolError(
        `Decoder (codec ${avGetCodecName(codecId)}) not found for input stream ${this.name}`,
      );
    }
    const context = new CodecContext();
    context.allocContext3(codec);
    checked(context.parametersToContext(this.parameters), 'Error initializing the decoder context');
    context.pktTimebase = this.stream.timeBase;
    context.setOption('threads', 'auto');
    options.apply(context, this.kind);
    checked(context.open2Sync(codec, null), `Error while opening decoder for input stream ${this.name}`);
    return context;
  }

  private decode(packet: Packet | null): void {
    const { decoder, frame } = this;
    if (!decoder) return;
    let time = packet?.pts ?? NONE;
    const sent = decoder.sendPacketSync(packet);
    if (sent < 0 && sent !== AVERROR_EOF) this.fail(sent);
    for (;;) {
      const result = decoder.receiveFrameSync(frame);
      if (isTryAgain(result) || result === AVERROR_EOF) return;
      if (result < 0) {
        this.fail(result);
        return;
      }
      this.results.good++;
      if (this.how.endsOnError && (frame.decodeErrorFlags !== 0 || frame.hasFlags(AV_FRAME_FLAG_CORRUPT))) {
        throw new ToolError(`${this.name}: corrupt decoded frame`);
      }
      if (this.kind === 'a') this.timeSound(time);
      else this.timePicture();
      time = NONE;
      this.show();
    }
  }

  private timePicture(): void {
    const { frame } = this;
    frame.pts = frame.bestEffortTimestamp;
    const at = rescale(frame.pts, this.timeBase, MICROSECONDS);
    if (at > this.reached) this.reached = at;
  }

  /** Counts a sound's time in samples. A frame without a time begins where the previous one ended. */
  private timeSound(packetTime: bigint): void {
    const { frame } = this;
    const samples = { num: 1, den: frame.sampleRate };
    const known = frame.pts === NONE ? packetTime : frame.pts;
    if (known !== NONE) {
      frame.pts = avRescaleDelta(this.timeBase, known, samples, frame.nbSamples, this.lastSample, samples);
    } else {
      frame.pts = this.nextSample === NONE ? rescale(this.reached, MICROSECONDS, samples) : this.nextSample;
    }
    this.nextSample = frame.pts + BigInt(frame.nbSamples);
  }

  private show(): void {
    const open = this.viewers.filter(({ isOpen }) => isOpen);
    for (const [index, viewer] of open.entries()) {
      if (index === open.length - 1) viewer.take(this.frame);
      else {
        checked(this.copy.ref(this.frame), 'Error while copying a frame');
        viewer.take(this.copy);
        this.copy.unref();
      }
    }
    this.frame.unref();
  }

  private fail(result: number): void {
    const what = `Error while decoding stream ${this.name}`;
    if (this.how.endsOnError) checked(result, what);
    this.results.bad++;
    complain(`${what}: ${FFmpegError.strerror(result)}`);
  }
}

/** Throws `ToolError` if there is no such decoder. */
function decoderNamed(name: string): Codec {
  const codec = Codec.getCodecList().find((known) => known.name === name && known.isDecoder());
  if (!codec) throw new ToolError(`Unknown decoder '${name}'`);
  return codec;
}
