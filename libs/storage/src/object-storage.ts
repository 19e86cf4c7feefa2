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

/** Bytes in their order; each piece may be written over once the next is asked for. */
export type Pieces = AsyncIterable<Uint8Array>;

/** One version of an object: what is read is what `info` tells of, or an error, though another takes its key. */
export interface HeldObject {
  readonly info: ObjectInfo;
  /**
   * The object's bytes, or a range of them, once the first of them are at hand; to be called once at most. Throws
   * `ObjectChangedError` where an adapter that can't keep it finds it replaced or gone. What can't be read to its end
   * fails: it never ends early.
   */
  read(range?: ByteRange): Promise<Pieces>;
  /** Lets go of it, whether or not it was read to the end; safe to repeat. */
  close(): Promise<void>;
}

/** What the caller of `hold` will do with it: `look` at its info, and perhaps read a part, or `read` all of it. */
export type HoldPurpose = 'look' | 'read';

/** An object as a local file. */
export interface CheckedOutObject {
  readonly path: string;
  release(): Promise<void>;
}

/**
 * Where files live. Keys are slash-separated words of `A-Za-z0-9._-`, at most 200 characters; any other throws.
 * An object is whole or absent: readers never see half of one, and a resolved write has reached the disk.
 * Every operation throws `StorageUnavailableError` where the storage is away, full or too slow: within seconds, but
 * for the bytes of a large file. A write that throws it may have taken place.
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
  abstract hold(key: string, purpose?: HoldPurpose): Promise<HeldObject>;
  /** A local path with the object's bytes, to be read only and released when done. Throws `ObjectNotFoundError`. */
  abstract checkOut(key: string): Promise<CheckedOutObject>;
  /** Removes objects; absent ones are no error. Throws where one may be left, after it has tried all. */
  abstract delete(keys: readonly string[]): Promise<void>;
  /** Every object whose key begins with `prefix`, in no particular order. */
  abstract list(prefix: string): AsyncIterable<ObjectInfo>;
  /**
   * Takes away what writes that began before `before` and never ended have left in the storage itself, and returns
   * how many those were; as many as there are while `goOn` says so. Scratch files are not among them.
   */
  abstract abortStaleWrites(before: Date, goOn?: () => boolean): Promise<number>;
  /** Lets go of all connections; nothing may be asked afterwards. */
  abstract close(): Promise<void>;
}
