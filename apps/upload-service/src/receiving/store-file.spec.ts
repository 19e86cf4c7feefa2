import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScratchFile } from '../scratch/scratch-file';
import { storeFile } from './store-file';

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);

describe('storeFile', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-store-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Yields the bytes in pieces of these lengths, in turn. Short pieces share one buffer, as those of the parser do. */
  async function* inPieces(bytes: Buffer, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
    const shared = Buffer.alloc(100);
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const length = Math.min(lengths[turn % lengths.length] ?? 1, bytes.length - at);
      const piece = bytes.subarray(at, at + length);
      if (length > shared.length) yield piece;
      else {
        piece.copy(shared);
        yield shared.subarray(0, length);
      }
      at += length;
    }
  }

  it.each([
    ['short', 40_000, [1, 100, 7]],
    ['long and short', 3_000_000, [65_536, 74, 1]],
    ['very long', 2_000_000, [700_000]],
  ])('writes and hashes a file that arrives in %s pieces', async (_, size, lengths) => {
    const bytes = Buffer.concat([JPEG, randomBytes(size)]);
    const scratch = await ScratchFile.create(folder);
    const sha256 = await storeFile(inPieces(bytes, lengths), scratch);
    expect(sha256).toEqual(createHash('sha256').update(bytes).digest());
    expect((await readFile(scratch.path)).equals(bytes)).toBe(true);
    expect(scratch.size).toBe(bytes.length);
    await scratch.discard();
  });

  it('writes nothing any longer when it refuses a file', async () => {
    const scratch = await ScratchFile.create(folder);
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.concat([JPEG, randomBytes(600_000)]);
      throw new Error('the connection was lost');
    }
    await expect(storeFile(broken(), scratch)).rejects.toThrow('the connection was lost');
    await scratch.discard();
    expect(await readdir(folder)).toEqual([]);
  });
});
