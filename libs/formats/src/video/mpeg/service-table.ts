import { crc32Msb } from '../../bytes/numbers';
import { latin1 } from '../../bytes/text';
import { isSoftwareName } from '../../metadata/software-name';
import type { TransportPacket } from './transport-packet';

/** The PID of DVB's service descriptions, and their first bytes (ETSI EN 300 468, sections 5.1.3 and 5.2.3). */
const PID = 0x11;
const ACTUAL_STREAM = 0x42;
const SERVICE = 0x48;
const HEADER = 3;
/** Bytes of a section before its services, and of a service before its descriptors. */
const FIELDS = 11;
const SERVICE_FIELDS = 5;
const CHECKSUM = 4;
/** Names that muxers give to a service without a name. */
const SERVICE_NAME = /^(?:Service\d{2}|)$/;

/** Whether a packet is a complete table of services in which the provider and the names are the muxer's. */
export function isServiceTable({ pid, payload, startsUnit, hasAdaptation, bytes }: TransportPacket): boolean {
  if (pid !== PID || !startsUnit || hasAdaptation || payload >= bytes.length || bytes[payload] !== 0)
    return false;
  const table = bytes.subarray(payload + 1);
  const size = HEADER + (((table[1] ?? 0) & 0xf) << 8) + (table[2] ?? 0);
  if (table[0] !== ACTUAL_STREAM || size < FIELDS + CHECKSUM || size > table.length) return false;
  const section = table.subarray(0, size);
  return (
    crc32Msb(section) === 0 &&
    table.subarray(size).every((byte) => byte === 0xff) &&
    areServices(section.subarray(FIELDS, size - CHECKSUM))
  );
}

function areServices(services: Uint8Array): boolean {
  for (let at = 0; at < services.length;) {
    const descriptors = at + SERVICE_FIELDS;
    const end = descriptors + (((services[at + 3] ?? 0) & 0xf) << 8) + (services[at + 4] ?? 0);
    if (end > services.length || !isService(services.subarray(descriptors, end))) return false;
    at = end;
  }
  return true;
}

/** Whether this is one service descriptor: its type, the provider's name and its own (section 6.2.33). */
function isService(descriptor: Uint8Array): boolean {
  const [tag, length = 0, , providerSize = 0] = descriptor;
  const provider = descriptor.subarray(4, 4 + providerSize);
  const nameSize = descriptor[4 + providerSize] ?? 0;
  const name = descriptor.subarray(5 + providerSize, 5 + providerSize + nameSize);
  const isWhole = length + 2 === descriptor.length && 5 + providerSize + nameSize === descriptor.length;
  return tag === SERVICE && isWhole && isSoftwareName(latin1(provider)) && SERVICE_NAME.test(latin1(name));
}
