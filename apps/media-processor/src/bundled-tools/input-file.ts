import { AVERROR_EOF, AVFMT_SEEK_TO_PTS, AVFMT_TS_DISCONT, AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import { Dictionary, FormatContext, InputFormat, Packet } from 'node-av/lib';
import type { CommandLine, FileArguments } from './command-line';
import { InputStream } from './input-stream';
import { FileOptions } from './options';
import { MICROSECONDS, NONE, readDuration, rescale } from './timestamps';
import { checked, isTryAgain, ToolError } from './tool-error';

/** Microseconds by which a timestamp may jump before the recording counts as interrupted. */
const INTERRUPTION = 10_000_000n;
/** Microseconds of a jump that is an error in a container whose timestamps are continuous. */
const IMPOSSIBLE_JUMP = 108_000_000_000n;
/** Microseconds by which a packet may precede what was already decoded. */
const MAX_STEP_BACK = 100_000n;
/** Microseconds before the wanted moment at which reading begins if pictures are stored out of order (3 frames of 23). */
const REORDERING = 130_434n;

/** The options of ffmpeg's program that are options of demuxers under other names. */
const DEMUXER_NAMES: Readonly<Record<string, string>> = {
  ...{ r: 'framerate', s: 'video_size', pix_fmt: 'pixel_format', ar: 'sample_rate' },
};

/** Opens a file for reading, with the options that its demuxer has. Throws `ToolError`. */
export function openInput(url: string, options: FileOptions): FormatContext {
  const format = options.take('f');
  const demuxer = format === undefined ? null : InputFormat.findInputFormat(format);
  if (format !== undefined && !demuxer) throw new ToolError(`Unknown input format: '${format}'`);
  const given = options
    .forLibraries()
    .map((option) => ({ ...option, name: DEMUXER_NAMES[option.name] ?? option.name, option }));
  const context = new FormatContext();
  const dictionary = Dictionary.fromObject(Object.fromEntries(given.map(({ name, value }) => [name, value])));
  checked(context.openInputSync(url, demuxer, dictionary), url);
  // The demuxer has read its options from the dictionary. The decoders get the others, and some of these.
  for (const { name, option } of given) if (context.getOption(name) !== null) options.accept(option);
  checked(context.findStreamInfoSync(), url);
  return context;
}

/** One input of ffmpeg. Reads packets, and corrects their timestamps as ffmpeg's program does. */
export class InputFile {
  readonly streams: readonly InputStream[];
  /** Microseconds that are read from the start; undefined for all. */
  readonly length: bigint | undefined;
  /** Whether reading began before the wanted moment. */
  readonly isCut: boolean;
  hasEnded = false;
  /** The time of the last packet in microseconds. */
  position = NONE;
  private readonly context: FormatContext;
  private readonly mayBeInterrupted: boolean;
  private readonly packet = new Packet();
  /** Microseconds that are added to each timestamp. */
  private offset: bigint;
  private readonly endsOnError: boolean;
  /** How often the file is read again; -1 for without end. */
  private loops: number;

  constructor(
    { url, options: given }: FileArguments,
    { endsOnError, keepsTimes }: Pick<CommandLine, 'endsOnError' | 'keepsTimes'>,
  ) {
    this.endsOnError = endsOnError;
    const options = new FileOptions({ url, options: given });
    const [start, length, shift] = ['ss', 't', 'itsoffset'].map((name) => options.take(name));
    const decoder = options.take('c', 'v');
    this.loops = Number(options.take('stream_loop') ?? 0);
    this.context = openInput(url, options);
    this.length = length === undefined ? undefined : readDuration(length);
    this.isCut = start !== undefined || length !== undefined;
    this.mayBeInterrupted = ((this.context.iformat?.flags ?? 0) & AVFMT_TS_DISCONT) !== 0;
    const how = { options, decoder, endsOnError };
    this.streams = this.context.streams.map(
      (stream) => new InputStream(`${url}:${stream.index}`, stream, how),
    );
    const { startTime } = this.context;
    const begins = (startTime === NONE ? 0n : startTime) + readDuration(start ?? '0');
    this.offset = readDuration(shift ?? '0') - (keepsTimes ? 0n : begins);
    if (start !== undefined) this.seek(begins);
    // Decoders are opened later, and take the options that every codec has.
    options.acceptCodecOptions();
    options.finish();
    this.packet.alloc();
  }

  /** Whether an output still needs one of the streams. */
  get isNeeded(): boolean {
    return !this.hasEnded && this.streams.some((stream) => stream.isNeeded);
  }

  /** Reads one packet and passes it to its stream; at the end of the file, ends all streams. */
  read(): void {
    const result = this.context.readFrameSync(this.packet);
    if (isTryAgain(result)) return;
    if (result < 0) {
      if (this.loops !== 0 && this.rewind()) return;
      if (result !== AVERROR_EOF && this.endsOnError) checked(result, this.context.url ?? '');
      this.hasEnded = true;
      for (const stream of this.streams) stream.end();
      return;
    }
    // Streams that appear only within the file have no consumers.
    const stream = this.streams[this.packet.streamIndex];
    if (stream?.isNeeded) {
      this.correct(stream);
      stream.take(this.packet);
    }
    this.packet.unref();
  }

  /** Begins to read the file again, after its end in time. Returns whether that is possible. */
  private rewind(): boolean {
    const ends = this.streams.map(({ expected }) => expected).filter((expected) => expected !== NONE);
    const end = ends.reduce((latest, expected) => (expected > latest ? expected : latest), NONE);
    if (end === NONE || this.context.seekFrameSync(-1, 0n, AVSEEK_FLAG_BACKWARD) < 0) return false;
    this.loops--;
    this.offset = end;
    return true;
  }

  private seek(moment: bigint): void {
    const isByPts = ((this.context.iformat?.flags ?? 0) & AVFMT_SEEK_TO_PTS) !== 0;
    const isReordered = this.streams.some((stream) => stream.parameters.videoDelay > 0);
    // A file that can't be searched is read from its beginning.
    this.context.seekFrameSync(
      -1,
      !isByPts && isReordered ? moment - REORDERING : moment,
      AVSEEK_FLAG_BACKWARD,
    );
  }

  /** Shifts a packet to the input's start, and closes gaps that a container with interruptions shows. */
  private correct(stream: InputStream): void {
    const { packet } = this;
    stream.shift(packet, this.offset);
    const at = rescale(packet.dts, stream.timeBase, MICROSECONDS);
    if (at !== NONE && (stream.kind === 'v' || stream.kind === 'a')) {
      const expected = stream.expected === NONE && this.mayBeInterrupted ? this.position : stream.expected;
      const jump = expected === NONE ? 0n : at - expected;
      const size = jump < 0n ? -jump : jump;
      if (this.mayBeInterrupted) {
        const stepsBack = stream.expected !== NONE && at + MAX_STEP_BACK < stream.reached;
        if (size > INTERRUPTION || stepsBack) {
          this.offset -= jump;
          stream.shift(packet, -jump);
        }
      } else if (size > IMPOSSIBLE_JUMP) {
        packet.dts = NONE;
        packet.pts = NONE;
      }
    }
    if (packet.dts !== NONE) this.position = rescale(packet.dts, stream.timeBase, MICROSECONDS);
  }
}
