import type { ByteSource } from '../../bytes/byte-source';
import { ByteView } from '../../bytes/byte-view';
import { latin1 } from '../../bytes/text';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { displayedSize, type Picture } from '../../facts/displayed-size';
import type { Inspection } from '../../facts/inspection';
import { videoFacts } from '../../facts/media-facts';
import { Redaction } from '../../rewriting/redaction';
import { StartCodeScrubber } from '../elementary/start-code-scrubber';
import { streamPicture } from '../elementary/stream-picture';
import { isSound, PresentationTimes, readPesHeader } from './pes';
import {
  programMapPids,
  readProgramMap,
  type ProgramMap,
  type ProgramStream,
  type Section,
} from './program-tables';
import { isServiceTable } from './service-table';
import { TableRuns, type TableRun } from './table-runs';
import {
  packetLayout,
  PACKET_SIZE,
  SYNC_BYTE,
  transportPackets,
  type PacketLayout,
  type TransportPacket,
} from './transport-packet';

const PAT = 0;
const NULL_PID = 0x1fff;
/** A packet without content (ISO/IEC 13818-1, section 2.4.3.3). */
const NULL_PACKET = Uint8Array.from(
  { length: PACKET_SIZE },
  (_, at) => [SYNC_BYTE, 0x1f, 0xff, 0x10][at] ?? 0xff,
);
/** Bytes of a PES packet that may come before a sequence header in it. */
const MAX_PROBE = 1 << 16;
/** Limit of the bytes of different tables; recordings have a few tables. */
const MAX_TABLES = 1 << 19;

/**
 * Reads an MPEG transport stream of 188-byte packets, or of 192-byte ones that start with a timestamp (Blu-ray,
 * AVCHD).
 */
export async function inspectTransportStream(source: ByteSource): Promise<Inspection> {
  const scrubber = new TransportStreamScrubber(source, await packetLayout(source));
  return scrubber.run();
}

class TransportStreamScrubber {
  private readonly redaction: Redaction;
  private readonly mapPids = new Set<number>();
  private readonly clockPids = new Set<number>();
  /** PIDs whose packets show that they hold sound, whatever the tables say. */
  private readonly soundPids = new Set<number>();
  private readonly streams = new Map<number, ProgramStream>();
  private readonly associations = new Set<string>();
  /** Scrubbed program maps by their original bytes. */
  private readonly programs = new Map<string, ProgramMap>();
  private readonly scrubbedMaps = new Map<string, Uint8Array>();
  private tableBytes = 0;
  private readonly times = new PresentationTimes();
  private readonly probe: Uint8Array[] = [];
  private readonly comments = new Map<number, StartCodeScrubber>();
  private probed = 0;
  private picture: Picture | null = null;

  constructor(
    private readonly source: ByteSource,
    private readonly layout: PacketLayout,
  ) {
    this.redaction = new Redaction(source);
  }

  async run(): Promise<Inspection> {
    await this.readTables();
    const kinds = [...this.streams.values()];
    const video = kinds.find(({ kind }) => kind === 'video');
    if (!video) {
      if (kinds.some(({ kind }) => kind === 'audio'))
        throw new UnsupportedFormatError('The file has no picture.');
      throw new UnreadableFileError('The file has no stream to show.');
    }
    await this.scrubPackets(video);
    if (!this.picture) throw new UnreadableFileError('The file’s picture can’t be read.');
    const { size, aspect } = this.picture;
    return {
      facts: videoFacts('mpegts', displayedSize(size, aspect), this.times.duration),
      rewrite: await this.redaction.rewrite(),
    };
  }

  /** First pass: assigns the packets. */
  private async readTables(): Promise<void> {
    const runs = new TableRuns();
    for await (const packets of transportPackets(this.source, this.layout)) {
      for (const packet of packets) {
        if (!packet.isValid) continue;
        if (this.isTable(packet.pid)) {
          for (const section of runs.feed(packet).sections) this.readSection(packet.pid, section);
        } else if (packet.startsUnit && isSound(payloadOf(packet))) this.soundPids.add(packet.pid);
      }
    }
  }

  private readSection(pid: number, { tableId, bytes }: Section): void {
    if (pid === PAT && tableId === 0) this.readAssociation(bytes);
    else if (pid !== PAT && tableId === 2) this.addProgram(this.programMap(bytes));
  }

  private readAssociation(section: Uint8Array): void {
    const key = latin1(section);
    if (this.associations.has(key)) return;
    this.countTable(section);
    this.associations.add(key);
    for (const pid of programMapPids(section)) this.mapPids.add(pid);
  }

  /** Reads each table once. Streams repeat their few tables ten times a second. */
  private programMap(section: Uint8Array): ProgramMap {
    const key = latin1(section);
    const known = this.programs.get(key);
    if (known) return known;
    this.countTable(section);
    const map = readProgramMap(section);
    this.programs.set(key, map);
    return map;
  }

  private countTable(section: Uint8Array): void {
    this.tableBytes += section.length;
    if (this.tableBytes > MAX_TABLES) throw new UnreadableFileError('The file holds too many tables.');
  }

  private kindOf(pid: number): 'video' | 'audio' | null {
    const kind = this.streams.get(pid)?.kind ?? null;
    if (kind !== 'private') return kind;
    return this.soundPids.has(pid) ? 'audio' : null;
  }

  private isTable(pid: number): boolean {
    return pid === PAT || this.mapPids.has(pid);
  }

  /** Removes a PID that any program uses for something other than sound or picture. */
  private addProgram({ pcrPid, streams }: ProgramMap): void {
    this.clockPids.add(pcrPid);
    for (const stream of streams) {
      if (this.streams.get(stream.pid)?.kind !== null) this.streams.set(stream.pid, stream);
    }
  }

  /** Second pass: turns everything except sound, picture and their tables into null packets. */
  private async scrubPackets(video: ProgramStream): Promise<void> {
    const runs = new TableRuns();
    const cut = (from: number, to: number): void => this.redaction.cut(from, to);
    for await (const packets of transportPackets(this.source, this.layout, cut)) {
      for (const packet of packets) this.scrubPacket(packet, video, runs);
    }
    for (const run of runs.rest()) this.scrubTable(run);
    for (const comments of this.comments.values()) comments.end();
    this.endProbe(video);
  }

  private scrubPacket(packet: TransportPacket, video: ProgramStream, runs: TableRuns): void {
    const kind = this.kindOf(packet.pid);
    const isTable = this.isTable(packet.pid);
    const isUsed = isTable || kind !== null || this.clockPids.has(packet.pid);
    if (!isUsed || !packet.isValid || packet.pid === NULL_PID) return this.blank(packet);
    this.scrubAdaptation(packet);
    if (isTable) this.scrubTable(runs.feed(packet).ended);
    else if (!kind) this.fill(packet, packet.payload, PACKET_SIZE, 0xff);
    else {
      this.scrubPesHeader(packet);
      if (kind === 'video') this.scrubPicture(packet);
      if (packet.pid === video.pid) this.probePicture(packet, video);
    }
  }

  private blank(packet: TransportPacket): void {
    if (isEmptyPacket(packet) || isServiceTable(packet)) return;
    if (Buffer.compare(packet.bytes, NULL_PACKET) !== 0) this.redaction.overwrite(packet.start, NULL_PACKET);
  }

  /** Overwrites a part of a packet, unless it already has these bytes. */
  private fill({ start, bytes }: TransportPacket, from: number, to: number, value: number): void {
    for (let at = from; at < to; at++) {
      if (bytes[at] === value) continue;
      this.redaction.fill(start + at, start + to, value);
      return;
    }
  }

  /** Blanks private data and stuffing of the adaptation field (ISO/IEC 13818-1, section 2.4.3.4). */
  private scrubAdaptation(packet: TransportPacket): void {
    if (!packet.hasAdaptation) return;
    const view = new ByteView(packet.bytes);
    const end = 5 + view.u8(4);
    if (end > 5) {
      const flags = view.u8(5);
      let at = 6 + (flags & 0x10 ? 6 : 0) + (flags & 8 ? 6 : 0) + (flags & 4 ? 1 : 0);
      if (flags & 2 && at < end) {
        const privateEnd = Math.min(at + 1 + view.u8(at), end);
        this.fill(packet, at + 1, privateEnd, 0);
        at = privateEnd;
      }
      if (flags & 1 && at < end) at += 1 + view.u8(at);
      this.fill(packet, at, end, 0xff);
    }
    if (packet.payload === PACKET_SIZE) this.fill(packet, end, PACKET_SIZE, 0xff);
  }

  private scrubPesHeader(packet: TransportPacket): void {
    if (!packet.startsUnit) return;
    const header = readPesHeader(payloadOf(packet));
    for (const [from, to, value] of header?.unused ?? []) {
      this.fill(packet, packet.payload + from, packet.payload + to, value);
    }
  }

  private scrubPicture(packet: TransportPacket): void {
    const codec = this.streams.get(packet.pid)?.codec;
    if (!codec) return;
    let comments = this.comments.get(packet.pid);
    if (!comments) this.comments.set(packet.pid, (comments = new StartCodeScrubber(this.redaction, codec)));
    const header = packet.startsUnit ? readPesHeader(payloadOf(packet)) : null;
    const from = packet.payload + (header?.size ?? 0);
    comments.feed(packet.bytes.subarray(from), packet.start + from);
  }

  private scrubTable(run: TableRun | null): void {
    if (!run) return;
    const sections = run.sections
      .filter(({ tableId }) => tableId === (run.pid === PAT ? 0 : 2))
      .map(({ bytes }) => (run.pid === PAT ? bytes : this.scrubbedMap(bytes)));
    const scrubbed = Buffer.alloc(run.size, 0xff);
    scrubbed.set(Buffer.concat(sections));
    let at = 0;
    for (const { from, bytes } of run.spans) {
      const part = scrubbed.subarray(at, (at += bytes.length));
      if (Buffer.compare(part, bytes) !== 0) this.redaction.overwrite(from, part);
    }
  }

  private scrubbedMap(section: Uint8Array): Uint8Array {
    const key = latin1(section);
    const known = this.scrubbedMaps.get(key);
    if (known) return known;
    const scrubbed = this.programMap(section).scrubbed((pid) => this.kindOf(pid) !== null);
    this.scrubbedMaps.set(key, scrubbed);
    return scrubbed;
  }

  private probePicture(packet: TransportPacket, video: ProgramStream): void {
    const isFull = this.picture !== null || this.probed >= MAX_PROBE;
    if (isFull && !packet.startsUnit) return;
    let payload = payloadOf(packet);
    if (packet.startsUnit) {
      this.endProbe(video);
      const header = readPesHeader(payload);
      if (header && header.pts !== null) this.times.add(header.pts);
      if (header) payload = payload.slice(header.size);
    }
    if (this.picture || this.probed >= MAX_PROBE) return;
    this.probe.push(payload.bytes);
    this.probed += payload.length;
  }

  private endProbe(video: ProgramStream): void {
    if (!this.picture && video.codec) this.picture = streamPicture(Buffer.concat(this.probe), video.codec);
    this.probe.length = 0;
    this.probed = 0;
  }
}

/** Whether this is a null packet filled with one repeated byte. */
function isEmptyPacket({ pid, payload, hasAdaptation, startsUnit, bytes }: TransportPacket): boolean {
  if (pid !== NULL_PID || hasAdaptation || startsUnit || payload !== 4) return false;
  const fill = bytes[4];
  return (fill === 0 || fill === 0xff) && bytes.subarray(4).every((byte) => byte === fill);
}

function payloadOf({ bytes, payload }: TransportPacket): ByteView {
  return new ByteView(bytes.subarray(payload));
}
