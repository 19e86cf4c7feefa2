import { asciiBytes } from './bytes/cursor';
import { MemorySource } from './bytes/memory-source';
import { inspect } from './inspect';
import { UnreadableFileError, UnsupportedFormatError } from './media-format';
import { imageSamples } from './testing/image-samples';

describe('inspect', () => {
  it('tells a picture by its content', async () => {
    for (const { bytes, format, width, height, frames } of await imageSamples()) {
      const { facts } = await inspect(new MemorySource(bytes));
      expect(facts).toMatchObject({ format, width, height, frames });
    }
  });

  it('refuses what is none of the accepted types', async () => {
    await expect(inspect(new MemorySource(asciiBytes('%PDF-1.7 …')))).rejects.toThrow(UnsupportedFormatError);
  });

  it('calls an empty file unreadable', async () => {
    await expect(inspect(new MemorySource(new Uint8Array(0)))).rejects.toThrow(UnreadableFileError);
  });
});
