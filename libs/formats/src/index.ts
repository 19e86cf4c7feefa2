export type { ByteSource } from './byte-source';
export * from './media-format';
export { rewrittenBytes, rewrittenSize, type Rewrite, type Segment } from './rewrite';
