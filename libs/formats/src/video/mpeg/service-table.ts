import { isSoftwareName } from '../../software-name';
import { crc32Msb } from './crc32';
import type { TransportPacket } from './transport-packet';

/** Where DVB's service descriptions are, and what they start with (ETSI EN 300 468, sections 5.1.3 and 5.2.3). */
const PID = 0x11;
const ACTUAL_STREAM = 0x42;
const SERVICE = 0x48;
const HEADER = 3;
/** Bytes of a section before its services, and of a service before its descriptors. */
const FIELDS = 11;
const SERVICE_FIELDS = 5;
const CHECKSUM = 4;
/** What muxers call a service that nobody gave a name. */
const SERVICE_NAME = /^(?:Service\d{2}|)$/;

/** Whether a packet is a table of services, whole, whose provider and names are those of the muxer. */
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

/** One service descriptor: its type, the provider's name and its own (section 6.2.33). */
function isService(descriptor: Uint8Array): boolean {
  const [tag, length = 0, , providerSize = 0] = descriptor;
  const provider = descriptor.subarray(4, 4 + providerSize);
  const nameSize = descriptor[4 + providerSize] ?? 0;
  const name = descriptor.subarray(5 + providerSize, 5 + providerSize + nameSize);
  const isWhole = length + 2 === descriptor.length && 5 + providerSize + nameSize === descriptor.length;
  return tag === SERVICE && isWhole && isSoftwareName(latin1(provider)) && SERVICE_NAME.test(latin1(name));
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
