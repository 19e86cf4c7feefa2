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

/** What uploaders are told. */
export const failureReason = {
  image: 'The image could not be decoded.',
  video: 'The video could not be decoded.',
  unsupported: 'The file is of a kind that this server cannot decode.',
  noPicture: 'The file holds no picture that could be decoded.',
  pixels: 'The image has too many pixels.',
  memory: 'The file needs more memory to decode than is allowed.',
  time: 'The file takes longer to process than is allowed.',
  crash: 'The file could not be processed.',
  gone: 'The file is no longer there.',
} as const;
