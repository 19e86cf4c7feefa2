export type { ByteSource } from './bytes/byte-source';
export { MemorySource } from './bytes/memory-source';
export { BMP_COMPRESSION, readBmpHeader, strideOf, type BmpHeader } from './image/bmp-header';
export { readRuns } from './image/bmp-pixels';
export {
  readHeifPicture,
  type CodedColour,
  type HeifPicture,
  type HeifPlane,
  type HeifTransform,
} from './image/heif/heif-picture';
export { writeTilesAsMp4 } from './image/heif/tiles-to-mp4';
export { readSequenceColour, type SequenceColour } from './image/heif/sequence-colour';
export { readTrackHandlers } from './image/heif/track-handlers';
export { isAmbiguousGif } from './image/gif';
export { readHeifGainMap, readUncroppedHeif, type SeparateGainMap } from './image/heif/heif';
export { type GainMapEffect, MPF_NAME } from './image/gain-map';
export { readGainMap } from './image/jpeg';
export { drawSvg, hasFixedSize, isUsvgBroken } from './image/svg/usvg';
export { readJxlHeader, type JxlHeader } from './image/jxl/jxl';
export { inspect } from './inspection/inspect';
export { UnreadableFileError, UnsupportedFormatError, UnsupportedVariantError } from './errors/file-errors';
export type { Inspection } from './facts/inspection';
export type { MediaFacts } from './facts/media-facts';
export { orient, type Orientation, orientationExif, readOrientation } from './metadata/exif-orientation';
export { lightToSrgb, lightToValue, srgbToLight } from './metadata/srgb-curve';
export { readToneCurve, type ToneCurve } from './metadata/tone-curve';
export { PICTURE_CODECS } from './video/elementary/picture-codecs';
export { writeProfile, xyzTag } from './metadata/plain-profile';
export { tableConversion, type TableConversion } from './metadata/table-colours';
export { readRewritten, rewrittenBytes, type Rewrite, type Segment } from './rewriting/rewrite';
export { LATE_SNIFF_BYTES, mayShowLater, sniff, SNIFF_BYTES } from './sniffing/sniff';
