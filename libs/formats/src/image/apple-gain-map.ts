import { asciiBytes } from '../bytes/text';
import { type AppleHdrNote, readAppleHdrNote } from '../metadata/apple-hdr-note';
import type { GainMapEffect } from './gain-map';

/** The type of Apple's gain maps among auxiliary pictures. */
export const APPLE_GAIN_MAP = 'urn:com:apple:photo:2020:aux:hdrgainmap';

/**
 * How a gain map of Apple brightens a picture: light in HDR is `light * (1 + (headroom - 1) * value)`, where both are
 * linear (developer.apple.com, "Applying Apple HDR effect to your photos").
 */
export interface AppleGainMap {
  /** The brightest value as a multiple of white, if the map’s XMP contains it (version 2). */
  readonly headroom: number | null;
  /** Numbers of the picture’s maker note, from which the headroom follows too. Chromium reads only these. */
  readonly note: AppleHdrNote | null;
  /** Whether the XMP says that the map has one channel of eight bits. */
  readonly isGrey: boolean;
}

const NAMESPACE = 'http://ns.apple.com/HDRGainMap/1.0/';
const [VERSION_1, VERSION_2] = ['65536', '131072'];
/** Eight stops, as for other gain maps. */
const MAX_HEADROOM = 256;
/** The letters L008 as a number: one component of eight bits. */
const GREY_FORMAT = '1278226488';

/**
 * Reads how a map brightens a picture from the XMP of the map and the Exif of the picture; null if they don't say it,
 * or with a number that is out of range.
 */
export function readAppleGainMap(xmp: string, exif: Uint8Array | null): AppleGainMap | null {
  if (!xmp.includes(NAMESPACE)) return null;
  const version = readValue(xmp, 'HDRGainMap:HDRGainMapVersion');
  const note = exif && readAppleHdrNote(exif);
  const isGrey = readValue(xmp, 'apdi:StoredFormat') === GREY_FORMAT;
  if (version === VERSION_1) return note && { headroom: null, note, isGrey };
  const text = readValue(xmp, 'HDRGainMap:HDRGainMapHeadroom') ?? '';
  if (version !== VERSION_2 || !/^\d{1,4}(?:\.\d{1,20})?$/.test(text)) return null;
  const headroom = Math.round(Number(text) * 1e6) / 1e6;
  return headroom >= 1 && headroom <= MAX_HEADROOM ? { headroom, note, isGrey } : null;
}

/** The value of a property, as an attribute or as an element. */
function readValue(xmp: string, name: string): string | undefined {
  const [, attribute, element] =
    new RegExp(`\\s${name}="([^"<]{1,64})"|<${name}>([^<]{1,64})</${name}>`).exec(xmp) ?? [];
  return (attribute ?? element)?.trim();
}

/** The XMP packet of a map, with its numbers and nothing else. */
export function writeAppleXmp({ headroom, isGrey }: AppleGainMap): Uint8Array {
  const property = (name: string, value: string): string => `<${name}>${value}</${name}>`;
  const properties = [
    property('HDRGainMap:HDRGainMapVersion', headroom === null ? VERSION_1 : VERSION_2),
    ...(headroom === null ? [] : [property('HDRGainMap:HDRGainMapHeadroom', headroom.toFixed(6))]),
    property('apdi:AuxiliaryImageType', APPLE_GAIN_MAP),
    ...(isGrey ? ['apdi:NativeFormat', 'apdi:StoredFormat'].map((name) => property(name, GREY_FORMAT)) : []),
  ];
  return asciiBytes(
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
      `<rdf:Description rdf:about="" xmlns:HDRGainMap="${NAMESPACE}"` +
      ` xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/">${properties.join('')}` +
      '</rdf:Description></rdf:RDF></x:xmpmeta>',
  );
}

/** What programs show that believe the larger of the two headrooms. */
export const appleEffect = ({ headroom, note }: AppleGainMap): GainMapEffect => ({
  kind: 'linear',
  headroom: Math.max(headroom ?? 1, note ? 2 ** stopsOf(note) : 1),
});

/** Apple’s formula for the headroom in stops. */
function stopsOf({ headroom, gain }: AppleHdrNote): number {
  if (headroom < 1) return gain <= 0.01 ? 1.8 - 20 * gain : 1.601 - 0.101 * gain;
  return gain <= 0.01 ? 3 - 70 * gain : 2.303 - 0.303 * gain;
}
