import { MemorySource } from '../bytes/memory-source';
import { asciiBytes } from '../bytes/text';
import { UnreadableFileError, UnsupportedFormatError } from '../errors/file-errors';
import { imageSamples } from '../testing/image-samples';
import { inspect } from './inspect';

describe('inspect', () => {
  it('recognises a picture by its content', async () => {
    for (const { bytes, format, width, height, frames } of await imageSamples()) {
      const { facts } = await inspect(new MemorySource(bytes));
      expect(facts).toMatchObject({ format, width, height, frames });
    }
  });

  // Promise [files]: Only images and videos are accepted.
  it('refuses a file whose type is not accepted', async () => {
    await expect(inspect(new MemorySource(asciiBytes('%PDF-1.7 …')))).rejects.toThrow(UnsupportedFormatError);
  });

  it('refuses an empty file as unreadable', async () => {
    await expect(inspect(new MemorySource(new Uint8Array(0)))).rejects.toThrow(UnreadableFileError);
  });
});
