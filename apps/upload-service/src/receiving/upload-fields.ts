import { readRequest, UploadFields, UploadTexts } from '@vitrine/contracts/api';
import { InvalidFieldsError, type PostOfUpload } from '@vitrine/domain';
import { readFormFields } from '@vitrine/http';

const FIELD = /^(?:title|description|alt_text|tags(?:\[\d{0,3}\])?|post|visibility|is_nsfw)$/;

/** Name and text of a part of a form. */
type TextPart = readonly [name: string, text: string];

/** Whether a part of this name belongs to `UploadFields`. */
export const isUploadField = (name: string): boolean => FIELD.test(name);

/**
 * The texts of a media item, whether its owner marks it as adult content, and the post to create of it or null, from the
 * parts of an upload. With a post the mark is that of the post, which its owner can take back. Throws
 * `InvalidFieldsError`, also on `post_id` if the file is to be added to another post as well, and on `visibility` without
 * a new post.
 */
export function readUploadFields(
  parts: readonly TextPart[],
  postReference: string | null,
): { readonly texts: UploadTexts; readonly isNsfw: boolean; readonly post: PostOfUpload | null } {
  const { post, visibility, is_nsfw: isNsfw, ...texts } = readFields(UploadFields, parts);
  if (post) {
    assertAbsent({ post_id: postReference ?? undefined }, 'may not be sent together with post=1');
    return { texts, isNsfw: false, post: { visibility, isNsfw } };
  }
  assertAbsent({ visibility }, 'requires post=1');
  return { texts, isNsfw: isNsfw ?? false, post: null };
}

/** The texts of a media item from the parts of a form; other parts are ignored. Throws `InvalidFieldsError`. */
export const readUploadTexts = (parts: readonly TextPart[]): UploadTexts => readFields(UploadTexts, parts);

/** Leaves empty texts out. */
function readFields<Fields extends object>(
  type: new () => Fields,
  parts: readonly TextPart[],
): Fields | Partial<Fields> {
  const sent = parts.filter(([name, text]) => isUploadField(name) && text !== '');
  if (sent.length === 0) return {};
  const { request, errors } = readRequest(type, readFormFields(sent.map(([name, text]) => [name, text])));
  if (errors) throw new InvalidFieldsError(errors);
  return request;
}

function assertAbsent(fields: Readonly<Record<string, unknown>>, reason: string): void {
  const sent = Object.keys(fields).filter((name) => fields[name] !== undefined);
  if (sent.length === 0) return;
  throw new InvalidFieldsError(
    Object.fromEntries(sent.map((name) => [name, [`The ${name} field ${reason}.`]])),
  );
}
