import { readRequest, UploadTexts } from '@vitrine/contracts';
import { InvalidFieldsError } from '@vitrine/domain';
import { readFormFields } from '@vitrine/http';

const TEXT = /^(?:title|description|alt_text|tags(?:\[\d{0,3}\])?)$/;

/** Whether a part of this name belongs to the texts of a media item. */
export const isUploadText = (name: string): boolean => TEXT.test(name);

/**
 * The texts of a media item from the parts of a form; other parts are ignored, and empty texts are left out. Throws
 * `InvalidFieldsError`.
 */
export function readUploadTexts(parts: readonly [string, string][]): UploadTexts {
  const sent = parts.filter(([name, text]) => isUploadText(name) && text !== '');
  if (sent.length === 0) return {};
  const { request, errors } = readRequest(UploadTexts, readFormFields(sent));
  if (errors) throw new InvalidFieldsError(errors);
  return request;
}
