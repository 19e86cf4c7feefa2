import {
  AV_DISPOSITION_ATTACHED_PIC,
  AVERROR_EOF,
  AVFMT_NOFILE,
  AVFMT_NOTIMESTAMPS,
  AVFMT_TS_NONSTRICT,
} from 'node-av/constants';
import {
  BitStreamFilter,
  BitStreamFilterContext,
  type CodecParameters,
  Dictionary,
  FormatContext,
  type IRational,
  Packet,
  type Stream,
} from 'node-av/lib';
import type { FileArguments } from './command-line';
import type { Kind } from './input-stream';
import { FileOptions, setOption } from './options';
import { MICROSECONDS, NONE, rescale } from './timestamps';
import { checked, isTryAgain, ToolError } from './tool-error';

/** Packets of a track that may wait until every track is ready, unless `-max_muxing_queue_size` gives a number. */
const QUEUE_SIZE = 128;
/** Bytes of a track's waiting packets up to which their number is not limited (`-muxing_queue_data_threshold` of ffmpeg). */
const UNLIMITED_BYTES = 50 * 1024 * 1024;

/** One output of ffmpeg: the file, and the tracks in it. */
export class OutputFile {
  readonly options: FileOptions;
  readonly context = new FormatContext();
  readonly tracks: OutputTrack[] = [];
  /** Microseconds of the end of what was written; `NONE` if that is nothing. */
  end = NONE;
  readonly queueSize: number;
  private isComplete = false;
  private isStarted = false;

  /** Throws `ToolError` for an unknown format. */
  constructor(private readonly file: FileArguments) {
    this.options = new FileOptions(file);
    const format = this.options.take('f') ?? null;
    checked(this.context.allocOutputContext2(null, format, file.url), file.url);
    this.queueSize = Number(this.options.take('max_muxing_queue_size') ?? QUEUE_SIZE);
    for (const name of ['map_metadata', 'map_chapters']) {
      const value = this.options.take(name);
      if (value !== undefined && value !== '-1') throw new ToolError(`Only -1 is supported for '${name}'`);
    }
    const tags = this.options.takeAll('metadata').filter(({ specifier }) => specifier === '');
    if (tags.length > 0) this.context.metadata = readTags(tags.map(({ value }) => value));
  }

  /** Whether the format has this property (`AVFMT_…`). */
  has(flag: typeof AVFMT_NOFILE): boolean {
    return this.context.oformat?.hasFlags(flag) ?? false;
  }

  addTrack(kind: Kind): OutputTrack {
    const track = new OutputTrack(this, this.context.newStream(null), kind);
    this.tracks.push(track);
    return track;
  }

  /** Ends the addition of tracks. Throws `ToolError` for an option that nothing knows. */
  complete(): void {
    this.options.apply(this.context);
    // Copied tracks, and kinds that the output lacks, don't need the options that every codec has.
    this.options.acceptCodecOptions();
    this.options.finish();
    this.isComplete = true;
    this.start();
  }

  /** Writes the header once each track is described, then the packets that waited. */
  start(): void {
    if (this.isStarted || !this.isComplete || !this.tracks.every(({ isDescribed }) => isDescribed)) return;
    if (!this.has(AVFMT_NOFILE)) checked(this.context.openOutputSync(), this.file.url);
    checked(this.context.writeHeaderSync(), `Could not write header for ${this.file.url}`);
    this.isStarted = true;
    for (const track of this.tracks) track.flush();
  }

  get isWritable(): boolean {
    return this.isStarted;
  }

  write(packet: Packet): void {
    checked(this.context.interleavedWriteFrameSync(packet), `Error while writing to ${this.file.url}`);
  }

  /** Writes the end of the file and closes it. Throws `ToolError`. */
  finish(): void {
    if (!this.isStarted) throw new ToolError(`Nothing was written to ${this.file.url}`);
    checked(this.context.writeTrailerSync(), `Error writing trailer of ${this.file.url}`);
    if (!this.has(AVFMT_NOFILE)) this.context.closeOutputSync();
  }
}

/** One track of an output: filters its packets, corrects their timestamps, and writes them. */
export class OutputTrack {
  isDescribed = false;
  private readonly waiting: Packet[] = [];
  private waitingBytes = 0;
  private readonly filters: BitStreamFilterContext[] = [];
  private timeBase: IRational = MICROSECONDS;
  private lastDts = NONE;
  private readonly filtered = new Packet();
  private readonly bitstreamFilters: readonly string[];
  private readonly tag: string | undefined;

  constructor(
    private readonly output: OutputFile,
    readonly stream: Stream,
    kind: Kind,
  ) {
    const { options } = output;
    this.bitstreamFilters = options.take('bsf', kind)?.split(',') ?? [];
    this.tag = options.take('tag', kind);
    const tags = options.takeAll('metadata').filter(({ specifier }) => specifier === `s:${kind}`);
    if (tags.length > 0) stream.metadata = readTags(tags.map(({ value }) => value));
    const disposition = options.take('disposition', kind);
    if (disposition === 'attached_pic') stream.disposition = AV_DISPOSITION_ATTACHED_PIC;
    else if (disposition !== undefined) throw new ToolError(`Unknown disposition '${disposition}'`);
    this.filtered.alloc();
  }

  /** Gives the track its codec. `timeBase`: that of the packets to come. */
  describe(fill: (parameters: CodecParameters) => void, timeBase: IRational): void {
    fill(this.stream.codecpar);
    this.timeBase = timeBase;
    for (const text of this.bitstreamFilters) this.addFilter(text);
    if (this.tag !== undefined) this.stream.codecpar.codecTag = this.tag;
    this.stream.timeBase = this.timeBase as Stream['timeBase'];
    this.isDescribed = true;
    this.output.start();
  }

  /** Takes a packet. */
  write(packet: Packet | null): void {
    this.filter(packet, 0);
  }

  /** Writes what waited for the other tracks. */
  flush(): void {
    for (const packet of this.waiting.splice(0)) {
      this.mux(packet);
      packet.free();
    }
  }

  /** `name` or `name=option=value`. */
  private addFilter(text: string): void {
    const [name = '', ...options] = text.split(/[=:]/);
    const filter = BitStreamFilter.getByName(name);
    if (!filter || options.length % 2 === 1) throw new ToolError(`Unknown bitstream filter '${text}'`);
    const context = new BitStreamFilterContext();
    checked(context.alloc(filter), text);
    for (let at = 0; at < options.length; at += 2) {
      if (!setOption(context, options[at] ?? '', options[at + 1] ?? '')) {
        throw new ToolError(`Unknown option of the bitstream filter '${text}'`);
      }
    }
    const { codecpar } = this.stream;
    if (context.inputCodecParameters) checked(codecpar.copy(context.inputCodecParameters), text);
    context.inputTimeBase = this.timeBase as BitStreamFilterContext['inputTimeBase'];
    checked(context.init(), text);
    if (context.outputCodecParameters) checked(context.outputCodecParameters.copy(codecpar), text);
    this.timeBase = context.outputTimeBase ?? this.timeBase;
    this.filters.push(context);
  }

  private filter(packet: Packet | null, at: number): void {
    const filter = this.filters[at];
    if (!filter) {
      if (packet) this.queue(packet);
      return;
    }
    checked(filter.sendPacketSync(packet), 'Error applying a bitstream filter');
    for (;;) {
      const result = filter.receivePacketSync(this.filtered);
      if (isTryAgain(result)) return;
      if (result === AVERROR_EOF) {
        this.filter(null, at + 1);
        return;
      }
      checked(result, 'Error applying a bitstream filter');
      this.filter(this.filtered, at + 1);
      this.filtered.unref();
    }
  }

  private queue(packet: Packet): void {
    if (this.output.isWritable) {
      this.mux(packet);
      return;
    }
    this.waitingBytes += packet.size;
    if (this.waiting.length >= this.output.queueSize && this.waitingBytes > UNLIMITED_BYTES)
      throw new ToolError('Too many packets buffered for an output');
    const kept = packet.clone();
    if (!kept) throw new ToolError('Cannot allocate memory');
    this.waiting.push(kept);
  }

  private mux(packet: Packet): void {
    const { stream, output } = this;
    packet.rescaleTs(this.timeBase, stream.timeBase);
    packet.streamIndex = stream.index;
    if (!output.has(AVFMT_NOTIMESTAMPS)) this.order(packet);
    this.lastDts = packet.dts;
    if (packet.pts !== NONE) {
      const end = rescale(packet.pts + packet.duration, stream.timeBase, MICROSECONDS);
      if (end > output.end) output.end = end;
    }
    output.write(packet);
  }

  /** Makes decoding times increase, and no picture appear before it is decoded, as ffmpeg's program does. */
  private order(packet: Packet): void {
    const next =
      this.lastDts === NONE ? NONE : this.lastDts + (this.output.has(AVFMT_TS_NONSTRICT) ? 0n : 1n);
    if (packet.dts !== NONE && packet.pts !== NONE && packet.dts > packet.pts) {
      // The middle one of three times.
      const [, middle = packet.pts] = [packet.pts, packet.dts, next].sort((a, b) => Number(a - b));
      packet.pts = middle;
      packet.dts = middle;
    }
    if (packet.dts !== NONE && next !== NONE && packet.dts < next) {
      if (packet.pts >= packet.dts && packet.pts < next) packet.pts = next;
      packet.dts = next;
    }
  }
}

/** Tags of the form `name=value`. */
const readTags = (tags: readonly string[]): Dictionary =>
  Dictionary.fromObject(
    Object.fromEntries(tags.map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)])),
  );
