import { statfs } from 'node:fs/promises';

/** The file is at fault, for good. The message is a sentence for its uploader: no paths, no tool output. */
export class UnprocessableFileError extends Error {
  override readonly name = 'UnprocessableFileError';
  constructor(
    message: string,
    /** What the tool said, for the log alone. */
    readonly detail?: string,
  ) {
    super(message);
  }
}

/** Whether a tool's or a system's words say that no disk has room: the machine's fault, whatever the file is like. */
export const saysDiskFull = (text: string): boolean =>
  /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/.test(text);

/** A job found no room on the disk; whether by its own doing, only the disk can tell once the job's files are gone. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';
}

/** Bytes. A disk that has as much left without a job's files is one that only those files filled. */
const ROOM = 1024 ** 3;

/** Whether the disk of a folder has room for the usual work. */
export async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= ROOM;
}

/** What uploaders are told. */
export const failureReason = {
  image: 'The image could not be decoded.',
  video: 'The video could not be decoded.',
  sound: 'The sound could not be decoded.',
  unsupported: 'The file uses a codec that this server cannot decode.',
  noPicture: 'The file holds no picture that could be decoded.',
  pixels: 'The picture has too many pixels.',
  memory: 'The file needs more memory to decode than is allowed.',
  time: 'The file takes longer to process than is allowed.',
  crash: 'The file could not be processed.',
  gone: 'The file is no longer there.',
} as const;
