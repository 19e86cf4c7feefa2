import type { ByteSource } from '../../byte-source';
import { UnreadableFileError } from '../../media-format';
import type { ByteView } from '../byte-view';
import { SourceWindow } from '../source-window';

/** Bytes of a packet from its sync byte on. */
export const PACKET_SIZE = 188;
export const SYNC_BYTE = 0x47;

/** One packet of a transport stream (ISO/IEC 13818-1, section 2.4.3.2). */
export interface TransportPacket {
  /** Where its sync byte lies in the file. */
  readonly start: number;
  readonly pid: number;
  /** Whether a PES packet or a table's section begins in it. */
  readonly startsUnit: boolean;
  readonly hasAdaptation: boolean;
  /** Whether its header makes sense. */
  readonly isValid: boolean;
  /** Where in the packet the payload starts: at its end where there is none. */
  readonly payload: number;
  readonly view: ByteView;
}

/** How the packets lie in a file. */
export interface PacketLayout {
  /** Bytes from one packet to the next. */
  readonly stride: number;
  /** Bytes in front of each sync byte: the time stamp of Blu-ray and AVCHD. */
  readonly lead: number;
}

/** Bytes outside packets that a damaged recording may have, in all. */
const MAX_STRAY = 1 << 20;

const LAYOUTS: readonly PacketLayout[] = [
  { stride: PACKET_SIZE, lead: 0 },
  { stride: PACKET_SIZE + 4, lead: 4 },
];

/** Tells packets of 188 bytes from those of 192. */
export async function packetLayout(source: ByteSource): Promise<PacketLayout> {
  const head = await source.read(0, LAYOUTS.length * 2 * PACKET_SIZE);
  const layout = LAYOUTS.find(
    ({ stride, lead }) => head[lead] === SYNC_BYTE && head[lead + stride] === SYNC_BYTE,
  );
  if (!layout) throw new UnreadableFileError('The packets can’t be found.');
  return layout;
}

/**
 * All packets of a file in order. Bytes between packets, and a last packet cut short, are no packet's:
 * they are given to `onStray` as `[from, to)`.
 */
export async function* transportPackets(
  source: ByteSource,
  { stride, lead }: PacketLayout,
  onStray: (from: number, to: number) => void = () => undefined,
): AsyncGenerator<TransportPacket> {
  const window = new SourceWindow(source);
  let end = 0;
  let stray = 0;
  for (let at = 0; at + stride <= source.size;) {
    const view = await window.at(at, stride + lead + 1);
    const following = view.bytes[stride + lead] ?? SYNC_BYTE;
    const isPacket = view.u8(lead) === SYNC_BYTE && (at === end || following === SYNC_BYTE);
    if (!isPacket) {
      if (++stray > MAX_STRAY) throw new UnreadableFileError('The packets can’t be found.');
      at++;
      continue;
    }
    if (at > end) onStray(end, at);
    yield parsePacket(at + lead, view.slice(lead, lead + PACKET_SIZE));
    at += stride;
    end = at;
  }
  if (end < source.size) onStray(end, source.size);
}

function parsePacket(start: number, view: ByteView): TransportPacket {
  const control = view.u8(3) >> 4;
  const hasAdaptation = (control & 2) !== 0;
  const afterAdaptation = hasAdaptation ? 5 + view.u8(4) : 4;
  return {
    start,
    pid: view.u16(1) & 0x1fff,
    startsUnit: (view.u8(1) & 0x40) !== 0,
    hasAdaptation,
    isValid: (control & 3) !== 0 && afterAdaptation <= PACKET_SIZE,
    payload: control & 1 ? afterAdaptation : PACKET_SIZE,
    view,
  };
}
