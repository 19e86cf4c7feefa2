/** Random access to the bytes of one file; nothing here ever holds the whole of a large one. */
export interface ByteSource {
  /** Bytes in all. */
  readonly size: number;
  /**
   * Reads `length` bytes at `offset` (bytes). The result is shorter only where the file ends.
   * The returned array belongs to the caller.
   */
  read(offset: number, length: number): Promise<Uint8Array>;
  /**
   * Fills `target` from `offset` on and resolves with the number of bytes, fewer only where the file ends. Walks
   * through large files use it, where there is it, so as not to leave each window behind as garbage.
   */
  readInto?(target: Uint8Array, offset: number): Promise<number>;
}
