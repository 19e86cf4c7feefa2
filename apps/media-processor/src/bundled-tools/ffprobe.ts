import { writeSync } from 'node:fs';
import {
  AV_CODEC_ID_NONE,
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_DEFAULT,
  AV_PKT_FLAG_DISCARD,
  AV_PKT_FLAG_KEY,
  AVERROR_EOF,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  type AVPixelFormat,
} from 'node-av/constants';
import {
  avGetCodecName,
  avGetMediaTypeString,
  avGetPixFmtName,
  Codec,
  type CodecParameters,
  type FormatContext,
  type IRational,
  Packet,
  type Stream,
} from 'node-av/lib';
import type { FileArguments, FileOption } from './command-line';
import { matrixName, primariesName, rangeName, transferName } from './colour-names';
import { openInput } from './input-file';
import { FileOptions } from './options';
import { displayMatrixOf, rotationOf } from './rotation';
import { isKnown, MICROSECONDS, NONE, toDouble } from './timestamps';
import { isTryAgain, ToolError } from './tool-error';

type Value = string | number | Readonly<Record<string, number | string>> | readonly object[];
type Facts = Readonly<Record<string, Value | undefined>>;

/** Bytes of lines that are written at a time. */
const PIECE = 65_536;
const FIELD_ORDERS: readonly (string | undefined)[] = [undefined, 'progressive', 'tt', 'bb', 'tb', 'bt'];

/** What `-show_entries` names: sections, and the fields wanted of each. */
type Entries = ReadonlyMap<string, ReadonlySet<string>>;

/** Does what ffprobe does with these arguments. Throws `ToolError`. */
export function ffprobe(args: readonly string[]): void {
  const file = readArguments(args);
  const options = new FileOptions(file);
  const form = options.take('of');
  const selected = options.take('select_streams');
  const entries = readEntries(options.take('show_entries') ?? '');
  if (options.take('v') !== 'error') throw new ToolError("Option 'v' supports only 'error'");
  const context = openInput(file.url, options);
  options.acceptCodecOptions();
  options.finish();
  const streams = context.streams.filter((stream) => isSelected(stream, selected));
  if (form === 'csv=p=0') writePackets(context, streams, entries);
  else if (form === 'json') writeSync(1, `${JSON.stringify(describeFile(context, streams, entries))}\n`);
  else throw new ToolError(`Unknown output format '${form ?? ''}'`);
}

/** Every option has a value; the file follows `-i`. */
function readArguments(args: readonly string[]): FileArguments {
  let url = '';
  const options: FileOption[] = [];
  for (let at = 0; at < args.length; at += 2) {
    const [name = '', value] = args.slice(at, at + 2);
    if (!name.startsWith('-') || value === undefined) throw new ToolError(`Missing argument for '${name}'`);
    if (name === '-i') url = value;
    else {
      const [option = '', ...specifier] = name.slice(1).split(':');
      options.push({ name: option, specifier: specifier.join(':'), value });
    }
  }
  if (url === '') throw new ToolError('You have to specify one input file');
  return { url, options };
}

/** Reads `section=field,field:section=field`. Throws `ToolError` for an unknown field. */
function readEntries(text: string): Entries {
  return new Map(
    text.split(':').map((part) => {
      const [section = '', fields = ''] = part.split('=');
      return [section, new Set(fields.split(','))];
    }),
  );
}

function isSelected({ index, codecpar }: Stream, selected: string | undefined): boolean {
  if (selected === undefined) return true;
  return selected === String(index) || (selected === 'v' && codecpar.codecType === AVMEDIA_TYPE_VIDEO);
}

/** Keeps the wanted fields that have a value. Throws `ToolError` if one is unknown. */
function pick(facts: Facts, wanted: ReadonlySet<string> = new Set()): Record<string, Value> {
  const picked: Record<string, Value> = {};
  for (const field of wanted) if (!(field in facts)) throw new ToolError(`Unknown field '${field}'`);
  for (const [field, value] of Object.entries(facts)) {
    if (wanted.has(field) && value !== undefined) picked[field] = value;
  }
  return picked;
}

function describeFile(context: FormatContext, streams: readonly Stream[], entries: Entries): object {
  const duration = seconds(context.duration, MICROSECONDS);
  return {
    streams: streams.map((stream) => ({
      ...pick(describeStream(stream), entries.get('stream')),
      ...section('disposition', pick(dispositionOf(stream), entries.get('stream_disposition'))),
      ...section('tags', tagsOf(stream, entries.get('stream_tags'))),
      ...sideDataOf(stream, entries.get('stream_side_data')),
    })),
    format: pick({ duration }, entries.get('format')),
  };
}

const section = (name: string, facts: Record<string, Value>): object =>
  Object.keys(facts).length > 0 ? { [name]: facts } : {};

function describeStream(stream: Stream): Facts {
  const { codecpar, timeBase, avgFrameRate, startTime, duration, index } = stream;
  const name = codecpar.codecId === AV_CODEC_ID_NONE ? 'unknown' : avGetCodecName(codecpar.codecId);
  const type = avGetMediaTypeString(codecpar.codecType) ?? undefined;
  const codec = { codec_name: name ?? 'unknown', codec_tag_string: tagOf(codecpar.codecTag) };
  const common = { index, codec_type: type, ...codec, profile: profileOf(codecpar) };
  const isPicture = codecpar.codecType === AVMEDIA_TYPE_VIDEO;
  const isSound = codecpar.codecType === AVMEDIA_TYPE_AUDIO;
  const aspect = codecpar.sampleAspectRatio;
  return {
    ...common,
    width: isPicture ? codecpar.width : undefined,
    height: isPicture ? codecpar.height : undefined,
    pix_fmt: isPicture ? (avGetPixFmtName(codecpar.format as AVPixelFormat) ?? undefined) : undefined,
    color_range: isPicture ? rangeName(codecpar.colorRange) : undefined,
    color_space: isPicture ? matrixName(codecpar.colorSpace) : undefined,
    color_transfer: isPicture ? transferName(codecpar.colorTrc) : undefined,
    color_primaries: isPicture ? primariesName(codecpar.colorPrimaries) : undefined,
    sample_aspect_ratio: isPicture && isKnown(aspect) ? `${aspect.num}:${aspect.den}` : undefined,
    field_order: isPicture ? fieldOrderOf(codecpar) : undefined,
    avg_frame_rate: `${avgFrameRate.num}/${avgFrameRate.den}`,
    start_time: seconds(startTime, timeBase),
    duration: seconds(duration, timeBase),
    channels: isSound ? codecpar.channels : undefined,
    sample_rate: isSound ? String(codecpar.sampleRate) : undefined,
  };
}

/** The four characters of a container's name for a codec, as libavutil's `av_fourcc2str` writes them. */
function tagOf(tag: number): string {
  const bytes = [0, 8, 16, 24].map((shift) => (tag >>> shift) & 0xff);
  return bytes
    .map((byte) => (/[\w. -]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `[${byte}]`))
    .join('');
}

/** The name that the codec's own decoder gives to the profile. */
function profileOf({ codecId, profile }: CodecParameters): string | undefined {
  const decoders = Codec.getCodecList().filter((codec) => codec.id === codecId && codec.isDecoder());
  const profiles = decoders.flatMap((codec) => codec.profiles ?? []);
  return profiles.find((known) => known.profile === profile)?.name;
}

function fieldOrderOf(parameters: CodecParameters): string | undefined {
  const { fieldOrder }: Partial<Record<string, unknown>> = parameters.toJSON();
  return typeof fieldOrder === 'number' ? FIELD_ORDERS[fieldOrder] : undefined;
}

const dispositionOf = (stream: Stream): Facts => ({
  default: stream.hasDisposition(AV_DISPOSITION_DEFAULT) ? 1 : 0,
  attached_pic: stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC) ? 1 : 0,
});

function tagsOf({ metadata }: Stream, wanted: ReadonlySet<string> = new Set()): Record<string, Value> {
  const names = new Set(Array.from(wanted, (name) => name.toLowerCase()));
  const tags = Object.entries(metadata?.getAll() ?? {});
  return Object.fromEntries(tags.filter(([name]) => names.has(name.toLowerCase())));
}

function sideDataOf({ codecpar }: Stream, wanted: ReadonlySet<string> | undefined): object {
  const matrix = displayMatrixOf(codecpar);
  if (!wanted || !matrix) return {};
  const rows = [0, 1, 2].map((row) => {
    const numbers = matrix.slice(row * 3, row * 3 + 3).map((value) => String(value).padStart(12));
    return `${String(row).padStart(8, '0')}:${numbers.join('')}\n`;
  });
  const facts = { displaymatrix: `\n${rows.join('')}`, rotation: Math.trunc(rotationOf(matrix) || 0) };
  return { side_data_list: [pick(facts, wanted)] };
}

/** Writes a line for each packet, with the fields in ffprobe's order. Throws `ToolError`. */
function writePackets(context: FormatContext, streams: readonly Stream[], entries: Entries): void {
  const wanted = entries.get('packet') ?? new Set();
  const bases = new Map(streams.map(({ index, timeBase }) => [index, timeBase]));
  const packet = new Packet();
  packet.alloc();
  let lines = '';
  for (;;) {
    const result = context.readFrameSync(packet);
    if (result === AVERROR_EOF) break;
    if (isTryAgain(result)) continue;
    // A file that ends early is read as far as it goes.
    if (result < 0) break;
    const base = bases.get(packet.streamIndex);
    if (base) lines += `${Object.values(pick(describePacket(packet, base), wanted)).join(',')}\n`;
    packet.unref();
    if (lines.length > PIECE) {
      writeSync(1, lines);
      lines = '';
    }
  }
  writeSync(1, lines);
}

const describePacket = (packet: Packet, base: IRational): Facts => ({
  stream_index: packet.streamIndex,
  pts_time: seconds(packet.pts, base) ?? 'N/A',
  duration_time: (packet.duration > 0n ? seconds(packet.duration, base) : undefined) ?? 'N/A',
  pos: packet.pos < 0n ? 'N/A' : String(packet.pos),
  flags: `${packet.hasFlags(AV_PKT_FLAG_KEY) ? 'K' : '_'}${packet.hasFlags(AV_PKT_FLAG_DISCARD) ? 'D' : '_'}`,
});

/** Seconds with six decimals; undefined if unknown. */
const seconds = (time: bigint, base: IRational): string | undefined =>
  time === NONE ? undefined : (Number(time) * toDouble(base)).toFixed(6);
