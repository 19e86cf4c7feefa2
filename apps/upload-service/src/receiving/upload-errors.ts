import { BadRequestException, RequestTimeoutException } from '@nestjs/common';
import { InvalidFieldsError } from '@vitrine/domain';
import { UnexpectedBodyError } from '@vitrine/http';

const KIB = 1024;
const onFile = (message: string): InvalidFieldsError => new InvalidFieldsError({ file: [message] });

/** The file has too many bytes. */
export class FileTooLargeError extends InvalidFieldsError {
  constructor(message: string) {
    super({ file: [message] });
  }
}

/** The errors with which an upload is refused; the API's contract fixes most of their messages. */
export const refusals = {
  unlisted: () => new InvalidFieldsError({ unlisted: ['The unlisted field must be true or false.'] }),
  missing: () => onFile('The file field is required.'),
  /** A body that is the file itself. */
  notMultipart: () =>
    onFile(
      'The file field is required: send multipart/form-data here, or the bytes alone to PUT /<name> or POST /uploads.',
    ),
  empty: () => onFile('The file field must not be empty.'),
  several: (most = 1) =>
    onFile(`The file field must ${most > 1 ? `not hold more than ${most} files` : 'hold a single file'}.`),
  wrongType: () => onFile('The file field must be a file of type: image/*, video/*.'),
  /** `sentence` names the variant, for example `TIFF with 32-bit integers is not supported.` */
  unsupported: (sentence: string) => onFile(sentence),
  unreadable: () => onFile('The file field must be a readable image or video.'),
  overran: () =>
    onFile('The file field takes too long to read. The file may be damaged or have too many parts.'),
  address: () =>
    onFile('The file field must hold the file itself. This server does not fetch files from addresses.'),
  notBase64: () => onFile('The file field must be a file, or the bytes of a file as base64.'),
  tooLarge: (maxBytes: number) =>
    new FileTooLargeError(`The file field must not be greater than ${Math.floor(maxBytes / KIB)} kilobytes.`),
  noVideos: () => onFile('This server does not accept videos because ffmpeg is not installed.'),
  tooManyPixels: () =>
    onFile('The file field must not have more than 100 megapixels, or 250 megapixels in all of its frames.'),
  unreadableBody: () => new BadRequestException(),
  bodyType: () =>
    new UnexpectedBodyError(
      'Expected a form: multipart/form-data or application/x-www-form-urlencoded.',
      415,
    ),
  late: () => new RequestTimeoutException(),
} as const;

/** The client closed the connection, so no response can be sent. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}
