/** The content is of none of the accepted types. */
export class UnsupportedFormatError extends Error {
  override readonly name = 'UnsupportedFormatError';
}

/** The content is of an accepted type, but in a variant that is not. The message is a sentence for the uploader. */
export class UnsupportedVariantError extends UnsupportedFormatError {}

/** The content claims to be of an accepted type, but it can't be read as that type. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}
