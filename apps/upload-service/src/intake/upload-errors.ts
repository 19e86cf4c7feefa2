import { BadRequestException, RequestTimeoutException } from '@nestjs/common';
import { InvalidFieldsError } from '@vitrine/domain';

const KIB = 1024;
const onFile = (message: string): InvalidFieldsError => new InvalidFieldsError({ file: [message] });

/** The refusals of an upload, in the words of the interface. */
export const refusals = {
  unlisted: () => new InvalidFieldsError({ unlisted: ['The unlisted field must be true or false.'] }),
  missing: () => onFile('The file field is required.'),
  empty: () => onFile('The file field must not be empty.'),
  several: () => onFile('The file field must hold a single file.'),
  wrongType: () => onFile('The file field must be a file of type: image/*, video/*.'),
  unreadable: () => onFile('The file field must be a readable image or video.'),
  overran: () => onFile('The file field takes too long to read: it may be damaged, or in too many pieces.'),
  tooLarge: (maxBytes: number) =>
    onFile(`The file field must not be greater than ${Math.floor(maxBytes / KIB)} kilobytes.`),
  noVideos: () => onFile('This server does not accept videos: it has no ffmpeg.'),
  tooManyPixels: () =>
    onFile('The file field must not have more than 100 megapixels, or 250 megapixels in all of its frames.'),
  unreadableBody: () => new BadRequestException(),
  late: () => new RequestTimeoutException(),
} as const;

/** The client hung up: there is nobody to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}
