/** What an account stores and may store, as the API says. */
export interface StorageUse {
  readonly bytes: number;
  readonly bytes_limit: number | null;
  readonly files: number;
  readonly files_limit: number | null;
}

/** The claim of a file that is being sent. */
export interface StorageClaim {
  /** The file is stored as a media item of this number of bytes. */
  keep(slug: string, bytes: number): void;
  /** The file was not stored. */
  giveBack(): void;
}

/**
 * What still fits into the uploader's quota, so that files that don't fit are not sent. The service decides; this only
 * spares visitors the time.
 */
export class StorageLeft {
  private use: StorageUse | undefined;
  /** What this page has claimed since `use` was known. */
  private bytes = 0;
  private files = 0;
  private readonly kept = new Map<string, number>();

  /** Learns the use. What is being sent at this moment is not in it. */
  learn(use: StorageUse | undefined): void {
    if (this.use || !use) return;
    this.use = use;
  }

  /** Claims room for a file; null if it doesn't fit. */
  claim(size: number): StorageClaim | null {
    if (!this.fits(size)) return null;
    this.bytes += size;
    this.files++;
    return {
      keep: (slug, bytes) => {
        this.bytes += bytes - size;
        this.kept.set(slug, bytes);
      },
      giveBack: () => {
        this.bytes -= size;
        this.files--;
      },
    };
  }

  /** A file that this page has uploaded is deleted again. */
  forget(slug: string): void {
    const bytes = this.kept.get(slug);
    if (bytes === undefined) return;
    this.kept.delete(slug);
    this.bytes -= bytes;
    this.files--;
  }

  private fits(size: number): boolean {
    if (!this.use) return true;
    const { bytes, bytes_limit: bytesLimit, files, files_limit: filesLimit } = this.use;
    const hasBytes = bytesLimit === null || bytes + this.bytes + size <= bytesLimit;
    return hasBytes && (filesLimit === null || files + this.files < filesLimit);
  }
}
