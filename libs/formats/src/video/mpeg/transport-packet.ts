import type { ByteSource } from '../../bytes/byte-source';
import { UnreadableFileError } from '../../errors/file-errors';

/** Bytes of a packet from its sync byte on. */
export const PACKET_SIZE = 188;
export const SYNC_BYTE = 0x47;

/** One packet of a transport stream (ISO/IEC 13818-1, section 2.4.3.2). */
export interface TransportPacket {
  /** Position of its sync byte in the file. */
  readonly start: number;
  readonly pid: number;
  /** Whether a PES packet or a section of a table begins in it. */
  readonly startsUnit: boolean;
  readonly hasAdaptation: boolean;
  /** Whether its header is valid. */
  readonly isValid: boolean;
  /** Position of the payload in the packet; its end if there is none. */
  readonly payload: number;
  readonly bytes: Uint8Array;
}

/** How packets are stored in a file. */
export interface PacketLayout {
  /** Bytes from one packet to the next. */
  readonly stride: number;
  /** Bytes in front of each sync byte: the timestamp of Blu-ray and AVCHD. */
  readonly lead: number;
  /** Where the first packet starts: a recording may begin in the middle of one. */
  readonly start: number;
}

/** The first packet starts within this many bytes. */
const MAX_START = 1 << 16;
/** Bytes from the start of a file that show whether it is a transport stream. */
export const TRANSPORT_HEAD_BYTES = MAX_START + 8 * (PACKET_SIZE + 4);
/** Packets that have to follow each other: at the start of the file, and elsewhere, where other data can look like one. */
const [MIN_PACKETS, MIN_LATE_PACKETS, MAX_COMPARED] = [2, 5, 8];

/** Limit of the bytes outside of packets, which a damaged recording may have. */
const MAX_STRAY = 1 << 20;

/** Packets in one read. Half a million single reads would take longer than the scrubbing. */
const BATCH = 1024;

const LAYOUTS = [
  { stride: PACKET_SIZE, lead: 0 },
  { stride: PACKET_SIZE + 4, lead: 4 },
] as const;

/**
 * How packets are stored in a file that begins with these bytes: each of 188 bytes, or of 192. Undefined if no packets
 * follow each other in the first 64 KiB.
 */
export function findPackets(head: Uint8Array): PacketLayout | undefined {
  for (let start = 0; start < Math.min(MAX_START, head.length); start++) {
    for (const { stride, lead } of LAYOUTS) {
      if (head[start + lead] !== SYNC_BYTE) continue;
      let packets = 1;
      for (
        let at = start + lead + stride;
        at < head.length && packets < MAX_COMPARED;
        at += stride, packets++
      )
        if (head[at] !== SYNC_BYTE) packets = -Infinity;
      if (packets >= (start === 0 ? MIN_PACKETS : MIN_LATE_PACKETS)) return { stride, lead, start };
    }
  }
  return undefined;
}

/** The layout of a file's packets. @throws UnreadableFileError if it has none. */
export async function packetLayout(source: ByteSource): Promise<PacketLayout> {
  const layout = findPackets(await source.read(0, TRANSPORT_HEAD_BYTES));
  if (!layout) throw new UnreadableFileError('The packets can’t be found.');
  return layout;
}

/**
 * All packets of a file in order, in batches. Bytes between packets, and a truncated last packet, are given to
 * `onStray` as `[from, to)`.
 */
export async function* transportPackets(
  source: ByteSource,
  { stride, lead, start }: PacketLayout,
  onStray: (from: number, to: number) => void = () => undefined,
): AsyncGenerator<readonly TransportPacket[]> {
  let end = 0;
  let stray = 0;
  for (let at = start; at + stride <= source.size;) {
    const chunk = await source.read(at, BATCH * stride + stride + lead + 1);
    const packets: TransportPacket[] = [];
    let offset = 0;
    while (offset < BATCH * stride && offset + stride <= chunk.length) {
      const following = chunk[offset + lead + stride] ?? SYNC_BYTE;
      if (chunk[offset + lead] !== SYNC_BYTE || (at + offset !== end && following !== SYNC_BYTE)) {
        if (++stray > MAX_STRAY) throw new UnreadableFileError('The packets can’t be found.');
        offset++;
        continue;
      }
      if (at + offset > end) onStray(end, at + offset);
      const sync = offset + lead;
      packets.push(parsePacket(at + sync, chunk.subarray(sync, sync + PACKET_SIZE)));
      offset += stride;
      end = at + offset;
    }
    yield packets;
    at += offset;
  }
  if (end < source.size) onStray(end, source.size);
}

function parsePacket(start: number, bytes: Uint8Array): TransportPacket {
  const [, high = 0, low = 0, flags = 0, adaptation = 0] = bytes;
  const control = flags >> 4;
  const afterAdaptation = control & 2 ? 5 + adaptation : 4;
  return {
    start,
    pid: ((high & 0x1f) << 8) | low,
    startsUnit: (high & 0x40) !== 0,
    hasAdaptation: (control & 2) !== 0,
    isValid: (control & 3) !== 0 && afterAdaptation <= PACKET_SIZE,
    payload: control & 1 ? afterAdaptation : PACKET_SIZE,
    bytes,
  };
}
