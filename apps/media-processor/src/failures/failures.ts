import { statfs } from 'node:fs/promises';

/** The file is at fault, permanently. The message is a sentence for its uploader, without paths and tool output. */
export class UnprocessableFileError extends Error {
  override readonly name = 'UnprocessableFileError';
  constructor(
    message: string,
    /** The output of the tool, only for the log. */
    readonly detail?: string,
  ) {
    super(message);
  }
}

/**
 * Whether a message of a tool or of the system says that a disk is full: the machine's fault, regardless of the file.
 */
export const saysDiskFull = (text: string): boolean =>
  /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/.test(text);

/** The disk was full during a job. Whether the job filled it shows only after its files are removed. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';
}

/** The machine is at fault, so another attempt may succeed. */
export class MachineFaultError extends Error {
  override readonly name = 'MachineFaultError';
}

/**
 * Whether an error during a job says that the machine is at fault: a full disk, a failed call of the system. Every other error
 * comes from the file: another attempt would end with the same one.
 */
export const isMachineFault = (error: unknown): boolean =>
  error instanceof MachineFaultError ||
  (error instanceof Error && ('syscall' in error || saysDiskFull(error.message)));

/** Bytes. If this much is free without a job's files, only those files had filled the disk. */
const ROOM = 1024 ** 3;

/** Whether the disk of a folder has enough room for usual work. */
export async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= ROOM;
}

/** The reasons that uploaders see. */
export const failureReason = {
  image: 'The image could not be decoded.',
  video: 'The video could not be decoded.',
  sound: 'The sound could not be decoded.',
  unsupported: 'The file uses a codec that this server cannot decode.',
  noPicture: 'The file contains no picture that can be decoded.',
  pixels: 'The picture has too many pixels.',
  memory: 'The file needs more memory to decode than is allowed.',
  space: 'The file needs more disk space to process than is allowed.',
  time: 'The file takes longer to process than is allowed.',
  crash: 'The file could not be processed.',
  gone: 'The file no longer exists.',
} as const;

/** The name of a codec, as ffmpeg writes it. */
const CODEC_NAME = /^[a-z][a-z0-9_.-]{0,31}$/i;

/** The reason for a codec that may not be decoded, with its name if that is known. */
export const unsupportedCodec = (name: string | undefined): string =>
  name && CODEC_NAME.test(name)
    ? `${failureReason.unsupported.slice(0, -1)}: ${name}.`
    : failureReason.unsupported;

/** Whether a reason is `failureReason.unsupported`, with or without the codec's name. */
export const isUnsupported = (reason: string): boolean =>
  reason === failureReason.unsupported ||
  reason === unsupportedCodec(reason.slice(failureReason.unsupported.length + 1, -1));

/** Whether a text is one of this service's own sentences for uploaders. */
export const isFailureReason = (text: string): boolean =>
  isUnsupported(text) || Object.values<string>(failureReason).includes(text);

/**
 * Runs a step that only decodes the uploaded file. Any failure becomes an `UnprocessableFileError`, because the file is at
 * fault. A full disk is thrown unchanged.
 */
export async function refuseOnFailure<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof UnprocessableFileError) throw error;
    const { message } = error as Error;
    // A decoder may write temporary files.
    if (saysDiskFull(message)) throw error;
    const starved = /out of memory|memory allocation|cannot allocate|bad_alloc/i.test(message);
    throw new UnprocessableFileError(starved ? failureReason.memory : failureReason.image, message);
  }
}
