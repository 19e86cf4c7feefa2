import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import {
  failureReason,
  hasRoom,
  isFailureReason,
  isMachineFault,
  isUnsupported,
  MachineFaultError,
  unsupportedCodec,
} from './failures';

describe('hasRoom', () => {
  it('returns true for a disk with room and false for a full one', async () => {
    expect(await hasRoom(tmpdir())).toBe(true);
    // A file system that never has room.
    if (process.platform === 'linux') expect(await hasRoom('/proc')).toBe(false);
  });
});

describe('isMachineFault', () => {
  it('is true for failed calls of the system, full disks and tools that the system killed', async () => {
    const missing: unknown = await open(join(tmpdir(), 'no', 'such', 'file')).catch(
      (error: unknown) => error,
    );
    for (const error of [
      missing,
      new Error('write: No space left on device'),
      new MachineFaultError('killed'),
    ])
      expect([error, isMachineFault(error)]).toEqual([error, true]);
  });

  // Promise [files]: Processing is tried again only after a failure of the machine.
  it('is false for what a file can cause in a parser', () => {
    const errors = [
      () => Buffer.alloc(2).readUInt32BE(0),
      () => JSON.parse('{'),
      () => new Array(-1),
      () => Buffer.alloc(2 ** 53),
      () => inflateSync(Buffer.from('no stream')),
    ].map((step) => {
      try {
        return step() as unknown;
      } catch (error) {
        return error;
      }
    });
    for (const error of errors) {
      expect(error).toBeInstanceOf(Error);
      expect([error, isMachineFault(error)]).toEqual([error, false]);
    }
  });
});

describe('unsupportedCodec', () => {
  it('names the codec, and ignores what is not a name', () => {
    expect(unsupportedCodec('magicyuv')).toBe(
      'The file uses a codec that this server cannot decode: magicyuv.',
    );
    for (const text of [undefined, '', '[0][0][0][0]', 'two words', 'a'.repeat(33)]) {
      expect(unsupportedCodec(text)).toBe(failureReason.unsupported);
    }
  });
});

describe('isFailureReason', () => {
  it('accepts only the sentences of this service', () => {
    for (const text of [...Object.values(failureReason), unsupportedCodec('cinepak')]) {
      expect([text, isFailureReason(text)]).toEqual([text, true]);
    }
    for (const text of [
      '',
      'Anything.',
      `${failureReason.unsupported} More.`,
      `${failureReason.image}: png.`,
    ]) {
      expect([text, isFailureReason(text)]).toEqual([text, false]);
    }
    expect([unsupportedCodec('cinepak'), failureReason.video].map(isUnsupported)).toEqual([true, false]);
  });
});
