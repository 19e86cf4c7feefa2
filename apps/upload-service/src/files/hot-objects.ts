import { Injectable } from '@nestjs/common';
import {
  type ByteRange,
  type HeldObject,
  type HoldPurpose,
  type ObjectInfo,
  ObjectNotFoundError,
  ObjectStorage,
  type Pieces,
} from '@vitrine/storage';
import { LRUCache } from 'lru-cache';
import { Counter, Gauge, Registry } from 'prom-client';
import { UploadConfig } from '../config/upload.config';

/** Larger objects are always read from the storage, in pieces. */
const MAX_OBJECT_BYTES = 1 << 20;
/** An object is kept when it is read so often within a minute; files that are read once must not displace others. */
const HOT_AFTER_READS = 3;
const COUNT_MS = 60_000;
const MAX_COUNTED = 10_000;
/** Repeated processing replaces a variant under its key, so a kept object is compared with the stored one this often. */
const FRESH_MS = 500;
/** How long the answer to a look at an object is used. */
const LOOK_MS = 100;
/** Bytes that are handed to a connection at a time, in one system call. */
const PIECE_BYTES = { least: 1 << 16, most: 1 << 19 } as const;

/** An object in memory. */
export interface HotObject {
  readonly info: ObjectInfo;
  readonly bytes: Buffer;
  /** When its comparison with the storage was requested. */
  checkedAt: number;
  /** Requests that are sending it. */
  users: number;
  isKept: boolean;
}

/** What an object in memory is kept for, and where it is stored. */
export interface ObjectSource {
  /** Two sources with the same bytes have different ones, so that the reads of one don't make those of the other faster. */
  readonly key: string;
  readonly storedKey: string;
  /** Changes whenever the bytes change, but not if they are stored elsewhere. */
  etagOf(object: ObjectInfo): string;
}

/** What `HotObjects.hold` opens. */
export interface OpenObject extends HeldObject {
  /** The object if it is in memory. */
  readonly hot?: HotObject;
}

/**
 * Opens objects for reading, and keeps the bytes of small ones that are read often in memory (at most `fileMemoryMebibytes`). The
 * limit also covers objects that are no longer kept but are still sent to slow readers: if it is reached, further
 * objects are read from the storage.
 */
@Injectable()
export class HotObjects {
  /** How often each object was read, within a minute of its first read. */
  private readonly reads = new LRUCache<string, number>({
    max: MAX_COUNTED,
    ttl: COUNT_MS,
    noUpdateTTL: true,
  });
  private readonly kept = new LRUCache<string, HotObject>({
    max: MAX_COUNTED,
    dispose: (hot) => {
      hot.isKept = false;
      if (hot.users === 0) this.count(-hot.bytes.length);
    },
  });
  /** What was just found out about stored objects, so that requests at the same time ask once. */
  private readonly infos = new LRUCache<string, ObjectInfo>({
    max: MAX_COUNTED,
    ttl: LOOK_MS,
    fetchMethod: async (key) => (await this.storage.head(key)) ?? undefined,
  });
  private readonly loading = new Set<string>();
  private readonly limit: number;
  /** Bytes that may be handed to a connection at a time. */
  readonly pieceBytes: number;
  private readonly hits: Counter;
  private readonly inMemory: Gauge;
  /** Of all objects that are kept or being sent. */
  private bytes = 0;

  constructor(
    private readonly storage: ObjectStorage,
    config: UploadConfig,
    registry: Registry,
  ) {
    this.limit = config.fileMemoryMebibytes * 1024 ** 2;
    // A reader that keeps the required rate must be able to take a piece before it counts as idle.
    const patience = config.fileIdleSeconds * config.fileMinBytesPerSecond;
    this.pieceBytes = Math.min(PIECE_BYTES.most, Math.max(PIECE_BYTES.least, patience));
    this.hits = new Counter({
      name: 'vitrine_file_memory_hits_total',
      help: 'Files that were served from memory, without reading the storage.',
      registers: [registry],
    });
    this.inMemory = new Gauge({
      name: 'vitrine_file_memory_bytes',
      help: 'Bytes of the files that are kept in memory, or sent from it.',
      registers: [registry],
    });
  }

  /** As `ObjectStorage.hold`; also throws `ObjectChangedError`. */
  async hold(source: ObjectSource, purpose: HoldPurpose): Promise<OpenObject> {
    const { key, storedKey } = source;
    const reads = this.countRead(key);
    const hot = await this.findKept(source);
    if (hot) {
      this.hits.inc();
      return this.share(hot);
    }
    const checkedAt = performance.now();
    const held = await this.storage.hold(storedKey, purpose);
    if (purpose !== 'read' || !this.mayKeep(key, held.info.size, reads)) return held;
    this.loading.add(key);
    try {
      return this.share(await this.keep(key, held, checkedAt));
    } finally {
      this.loading.delete(key);
      await held.close();
    }
  }

  /** The metadata of a stored object, up to 100 ms old. Throws `ObjectNotFoundError`. */
  async findInfo(storedKey: string): Promise<ObjectInfo> {
    const info = await this.infos.fetch(storedKey);
    if (!info) throw new ObjectNotFoundError(storedKey);
    return info;
  }

  /** An object in memory that needs no comparison with the storage now. Counts as a read. */
  findFresh(key: string): HotObject | null {
    const hot = this.kept.get(key);
    if (!hot || performance.now() - hot.checkedAt >= FRESH_MS) return null;
    this.countRead(key);
    this.hits.inc();
    return hot;
  }

  /** Counts an object in memory as being sent. Returns the function that ends this; it may be called twice. */
  use(hot: HotObject): () => void {
    hot.users++;
    let isUsed = true;
    return () => {
      if (!isUsed) return;
      isUsed = false;
      hot.users--;
      if (hot.users === 0 && !hot.isKept) this.count(-hot.bytes.length);
    };
  }

  private async findKept({ key, storedKey, etagOf }: ObjectSource): Promise<HotObject | null> {
    const hot = this.kept.get(key);
    if (!hot) return null;
    const now = performance.now();
    if (now - hot.checkedAt < FRESH_MS) return hot;
    // The requests that come meanwhile don't ask again.
    const before = hot.checkedAt;
    hot.checkedAt = now;
    try {
      const stored = await this.storage.head(storedKey);
      if (stored && etagOf(stored) === etagOf(hot.info)) return hot;
    } catch (error) {
      hot.checkedAt = before;
      throw error;
    }
    if (this.kept.peek(key) === hot) this.kept.delete(key);
    return null;
  }

  private countRead(key: string): number {
    const reads = (this.reads.get(key) ?? 0) + 1;
    this.reads.set(key, reads);
    return reads;
  }

  /**
   * Whether an object is read often enough, and there is room for it. It displaces only objects that are read less often:
   * if many files are read in turn, some of them stay instead of each displacing another.
   */
  private mayKeep(key: string, size: number, reads: number): boolean {
    if (size > Math.min(MAX_OBJECT_BYTES, this.limit) || reads < HOT_AFTER_READS) return false;
    if (this.loading.has(key)) return false;
    while (this.bytes + size > this.limit) {
      const [oldest] = this.kept.rkeys();
      if (oldest === undefined || (this.reads.peek(oldest) ?? 0) >= reads) return false;
      this.kept.delete(oldest);
    }
    return true;
  }

  /** Reads a whole object into memory, and keeps it. */
  private async keep(key: string, held: HeldObject, checkedAt: number): Promise<HotObject> {
    const { info } = held;
    const hot: HotObject = {
      info,
      bytes: Buffer.allocUnsafeSlow(info.size),
      checkedAt,
      users: 0,
      isKept: true,
    };
    this.count(info.size);
    try {
      let at = 0;
      for await (const piece of await held.read()) {
        hot.bytes.set(piece, at);
        at += piece.length;
      }
    } catch (error) {
      this.count(-info.size);
      throw error;
    }
    this.kept.set(key, hot);
    return hot;
  }

  private share(hot: HotObject): OpenObject {
    const release = this.use(hot);
    return {
      info: hot.info,
      hot,
      read: async (range) => piecesOf(hot.bytes, this.pieceBytes, range),
      close: async () => release(),
    };
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    this.inMemory.set(this.bytes);
  }
}

async function* piecesOf(
  bytes: Buffer,
  length: number,
  { from, to }: ByteRange = { from: 0, to: bytes.length - 1 },
): Pieces {
  for (let at = from; at <= to; at += length) yield bytes.subarray(at, Math.min(at + length, to + 1));
}
