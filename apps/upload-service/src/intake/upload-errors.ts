import { BadRequestException } from '@nestjs/common';
import { InvalidFieldsError } from '@vitrine/domain';

const KIB = 1024;
const onFile = (message: string): InvalidFieldsError => new InvalidFieldsError({ file: [message] });

/** The refusals of an upload, in the words of the interface. */
export const refusals = {
  missing: () => onFile('The file field is required.'),
  empty: () => onFile('The file field must not be empty.'),
  several: () => onFile('The file field must hold a single file.'),
  wrongType: () => onFile('The file field must be a file of type: image/*, video/*.'),
  unreadable: () => onFile('The file field must be a readable image or video.'),
  tooLarge: (maxBytes: number) =>
    onFile(`The file field must not be greater than ${Math.floor(maxBytes / KIB)} kilobytes.`),
  tooManyPixels: () =>
    onFile('The file field must not have more than 100 megapixels, or 250 megapixels in all of its frames.'),
  unreadableBody: () => new BadRequestException(),
} as const;

/** The client hung up: there is nobody to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}
