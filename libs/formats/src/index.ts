export type { ByteSource } from './byte-source';
export { MemorySource } from './bytes/memory-source';
export {
  readHeifPicture,
  type CodedColour,
  type HeifPicture,
  type HeifPlane,
  type HeifTransform,
} from './image/heif/heif-picture';
export { writeTilesAsMp4 } from './image/heif/tiles-to-mp4';
export { readTrackHandlers } from './image/heif/track-handlers';
export { readJxlHeader, type JxlHeader } from './image/jxl/jxl';
export { inspect } from './inspect';
export * from './media-format';
export { rewrittenBytes, rewrittenSize, type Rewrite, type Segment } from './rewrite';
export { sniff, SNIFF_BYTES } from './sniff';
