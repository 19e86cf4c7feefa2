import type { Readable } from 'node:stream';

export interface ObjectInfo {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly modifiedAt: Date;
  /** Changes whenever the content does; without quotes. */
  readonly etag: string;
}

/** Bytes `from`–`to` of an object, both included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** One object held open: what is read is what `info` tells of, though another takes its key meanwhile. */
export interface HeldObject {
  readonly info: ObjectInfo;
  /** The object's bytes, or a range of them; to be called once at most. */
  read(range?: ByteRange): Readable;
  /** Lets go of it, whether or not it was read to the end; safe to repeat. */
  close(): Promise<void>;
}

/** There is no object under this key. */
export class ObjectNotFoundError extends Error {
  override readonly name = 'ObjectNotFoundError';
  constructor(key: string) {
    super(`No object ${key}`);
  }
}

/**
 * Where files live. Keys are slash-separated words of `A-Za-z0-9._-`, at most 200 characters; any other throws.
 * An object is whole or absent: readers never see half of one, and a resolved write has reached the disk.
 */
export abstract class ObjectStorage {
  /** A local folder for files on their way in or out, on the same file system as the objects where there is one. */
  abstract scratchDirectory(): Promise<string>;
  /** Stores a local file under `key`, replacing what was there, and takes it away from `path`. */
  abstract moveIn(path: string, key: string): Promise<void>;
  /**
   * Stores a local file under a key that is free, and leaves it at `path` too; false, and nothing happens, where
   * there is an object under `key` already. Of two at once one is told false.
   */
  abstract addNew(path: string, key: string): Promise<boolean>;
  /** Stores bytes under `key`, replacing what was there. */
  abstract put(key: string, bytes: Uint8Array): Promise<void>;
  abstract head(key: string): Promise<ObjectInfo | null>;
  /** Opens an object, or a range of it. Throws `ObjectNotFoundError`. */
  abstract open(key: string, range?: ByteRange): Promise<Readable>;
  /** Opens an object whose size and etag matter together with its bytes. Throws `ObjectNotFoundError`. */
  abstract hold(key: string): Promise<HeldObject>;
  /** A local path with the object's bytes, to be read only and released when done. Throws `ObjectNotFoundError`. */
  abstract checkOut(key: string): Promise<{ readonly path: string; release(): Promise<void> }>;
  /** Removes objects; absent ones are no error. */
  abstract delete(keys: readonly string[]): Promise<void>;
  /** Every object whose key begins with `prefix`, in no particular order. */
  abstract list(prefix: string): AsyncIterable<ObjectInfo>;
}
