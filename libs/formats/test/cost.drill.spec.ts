import type { ByteSource } from '../src/bytes/byte-source';
import { UnreadableFileError, UnsupportedFormatError } from '../src/errors/file-errors';
import { inspect } from '../src/inspection/inspect';
import { rewrittenBytes } from '../src/rewriting/rewrite';
import { backwardStrips, hostileImages, hostileVideos, type HostileFile } from './hostile-files';

const SMALL = 1 << 15;
const GROWTH = 8;
/**
 * From one size to eight times that, linear work grows 8 times and quadratic work 64 times. The margin above 8 is for
 * a busy machine.
 */
const MAX_GROWTH = 28;
/** Milliseconds; growth from a shorter time is noise. */
const FLOOR = 20;
/** How many times each byte may be read, and how many bytes may be read of any file. */
const READS = 12;
const FREE_BYTES = 4 << 20;
/** How much longer the scrubbed file may be: a multiple of the file's length, and a minimum. */
const WRITES = 6;
const FREE_WRITES = 1 << 16;

/** Counts the bytes that are read from a file. */
class CountingSource implements ByteSource {
  bytesRead = 0;
  reads = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get size(): number {
    return this.bytes.length;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const bytes = this.bytes.slice(offset, Math.max(offset, offset + length));
    this.bytesRead += bytes.length;
    this.reads++;
    return bytes;
  }

  async readInto(target: Uint8Array, offset: number): Promise<number> {
    const bytes = this.bytes.subarray(offset, offset + target.length);
    target.set(bytes);
    this.bytesRead += bytes.length;
    return bytes.length;
  }
}

/** Inspects a file, scrubs it if it is accepted, and returns the cost. */
async function cost(
  bytes: Uint8Array,
): Promise<{ milliseconds: number; bytesRead: number; bytesWritten: number }> {
  const source = new CountingSource(bytes);
  // Processor time, because other processes may take the processor away.
  const start = process.cpuUsage();
  let bytesWritten = 0;
  try {
    const { rewrite } = await inspect(source);
    for await (const chunk of rewrittenBytes(source, rewrite)) bytesWritten += chunk.length;
  } catch (error) {
    if (!(error instanceof UnreadableFileError) && !(error instanceof UnsupportedFormatError)) throw error;
  }
  const milliseconds = process.cpuUsage(start).user / 1000;
  return { milliseconds, bytesRead: source.bytesRead, bytesWritten };
}

const cases = Object.entries({ ...hostileImages, ...hostileVideos }).flatMap(([format, files]) =>
  Object.entries(files).map(([what, make]): [string, string, HostileFile] => [format, what, make]),
);

describe('the cost of reading a file', () => {
  it.each(cases)('grows at most linearly with its size: %s of %s', async (_format, _what, make) => {
    const [small, large] = [make(SMALL), make(SMALL * GROWTH)];
    // Warms up the compiler, so that the first measurement is not slower than the second.
    await cost(small);
    const before = await cost(small);
    const after = await cost(large);
    expect(before.bytesWritten).toBeLessThan(small.length * WRITES + FREE_WRITES);
    expect(after.bytesWritten).toBeLessThan(large.length * WRITES + FREE_WRITES);
    expect(after.bytesRead).toBeLessThan(large.length * READS + FREE_BYTES);
    expect(after.milliseconds).toBeLessThan(Math.max(before.milliseconds, FLOOR) * MAX_GROWTH);
  });

  it('is one read for many short pieces when the file is rewritten, whatever their order', async () => {
    // With a comment at the end, because a file without one is not rewritten.
    const file = Buffer.concat([backwardStrips(SMALL * GROWTH), Buffer.from('remark')]);
    const source = new CountingSource(file);
    const { rewrite } = await inspect(source);
    source.reads = 0;
    for await (const chunk of rewrittenBytes(source, rewrite)) expect(chunk.length).toBeGreaterThan(0);
    expect(rewrite?.length).toBeGreaterThan(10_000);
    expect(source.reads).toBeLessThan(100);
  });
});
