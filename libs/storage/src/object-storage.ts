import type { Readable } from 'node:stream';

export interface ObjectInfo {
  readonly key: string;
  /** Size in bytes. */
  readonly size: number;
  readonly modifiedAt: Date;
  /** Changes whenever the content changes; without quotes. */
  readonly etag: string;
}

/** Bytes `from`–`to` of an object, both included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Bytes in pieces. A piece may be overwritten once the next one is read. */
export type Pieces = AsyncIterable<Uint8Array>;

/** One version of an object. A read returns the bytes that `info` describes or fails, even if the object is replaced. */
export interface HeldObject {
  readonly info: ObjectInfo;
  /**
   * Resolves with the object's bytes, or a range of them, once the first piece can be read. Call it at most once. Throws
   * `ObjectChangedError` if the version no longer exists. An incomplete read fails; it never ends early.
   */
  read(range?: ByteRange): Promise<Pieces>;
  /** Releases the object, whether or not it was read to its end. Idempotent. */
  close(): Promise<void>;
}

/** What the caller of `hold` will do: `look` at the info and perhaps read a part, or `read` the whole object. */
export type HoldPurpose = 'look' | 'read';

/** An object as a local file. */
export interface CheckedOutObject {
  readonly path: string;
  release(): Promise<void>;
}

/**
 * Stores objects under keys. A key has at most 200 characters and consists of words of `A-Za-z0-9._-` between slashes; other
 * keys throw. An object is complete or absent: readers never see a part of one, and a resolved write has reached the disk.
 * Every operation throws `StorageUnavailableError` if the storage is unavailable, full or too slow; within seconds, except
 * for the bytes of a large file. A write that throws it may have happened.
 */
export abstract class ObjectStorage {
  /** Returns a local folder for temporary files; on the file system of the objects if they are stored in a folder. */
  abstract scratchDirectory(): Promise<string>;
  /** Moves a local file to `key`, replacing the object there. */
  abstract moveIn(path: string, key: string): Promise<void>;
  /**
   * Stores a local file under a free key, and keeps the file at `path`. Returns false and changes nothing if there is an
   * object under `key`. Of two simultaneous calls, one gets false.
   */
  abstract addNew(path: string, key: string): Promise<boolean>;
  /** Stores bytes under `key`, replacing the object there. */
  abstract put(key: string, bytes: Uint8Array): Promise<void>;
  abstract head(key: string): Promise<ObjectInfo | null>;
  /** Opens an object, or a range of it. Throws `ObjectNotFoundError`. */
  abstract open(key: string, range?: ByteRange): Promise<Readable>;
  /** Opens one version of an object, with its info. Throws `ObjectNotFoundError`. */
  abstract hold(key: string, purpose?: HoldPurpose): Promise<HeldObject>;
  /** Returns a local path with the object's bytes. It is read-only; release it after use. Throws `ObjectNotFoundError`. */
  abstract checkOut(key: string): Promise<CheckedOutObject>;
  /** Deletes objects; absent ones are ignored. Tries all of them, then throws if one may be left. */
  abstract delete(keys: readonly string[]): Promise<void>;
  /**
   * Where a proxy that sends files in place of this process finds an object: its path below the folder of all
   * objects, or the path and query of a signed request to the bucket that works for a minute. The object need not
   * exist.
   */
  abstract locateForProxy(key: string): Promise<string>;
  /** Lists all objects whose keys begin with `prefix`, in no particular order. */
  abstract list(prefix: string): AsyncIterable<ObjectInfo>;
  /**
   * Removes the remains of writes in the storage itself that began before `before` and never ended, while
   * `mayContinue` returns true. Returns the number of these writes. Scratch files are not among them.
   */
  abstract abortStaleWrites(before: Date, mayContinue?: () => boolean): Promise<number>;
  /** Closes all connections. No operation may follow. */
  abstract close(): Promise<void>;
}
