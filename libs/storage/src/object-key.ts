const KEY = /^(?!.*(?:^|\/)\.)[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;
const LONGEST = 200;

/** Whether a text is a key that an object can have. */
export const isObjectKey = (text: string): boolean => text.length <= LONGEST && KEY.test(text);

/** Throws `TypeError` for whatever is no key. */
export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new TypeError(`Not an object key: ${key}`);
}
