/** Random access to the bytes of one file. The parsers never hold the whole of a large file in memory. */
export interface ByteSource {
  /** Bytes of the whole file. */
  readonly size: number;
  /**
   * Reads `length` bytes at `offset` (bytes). The result is shorter only if the file ends. The returned array belongs
   * to the caller.
   */
  read(offset: number, length: number): Promise<Uint8Array>;
  /**
   * Fills `target` with the bytes from `offset` on and resolves with their number, which is smaller than the target
   * only if the file ends. Optional: walks through large files use it to avoid allocating each window.
   */
  readInto?(target: Uint8Array, offset: number): Promise<number>;
}
