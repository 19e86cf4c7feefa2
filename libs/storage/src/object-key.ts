const KEY = /^(?!.*(?:^|\/)\.)[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;
const MAX_LENGTH = 200;

/** Whether a text is a valid object key. */
export const isObjectKey = (text: string): boolean => text.length <= MAX_LENGTH && KEY.test(text);

/** Throws `TypeError` if a text is not an object key. */
export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new TypeError(`Not an object key: ${key}`);
}
