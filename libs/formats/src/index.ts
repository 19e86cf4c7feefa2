export type { ByteSource } from './byte-source';
export { MemorySource } from './bytes/memory-source';
export { inspect } from './inspect';
export * from './media-format';
export { rewrittenBytes, rewrittenSize, type Rewrite, type Segment } from './rewrite';
export { sniff, SNIFF_BYTES } from './sniff';
