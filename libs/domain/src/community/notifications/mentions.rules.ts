import { MAX_MENTIONS } from '@vitrine/contracts';

/** `@` and a username, not inside a word, an address or a path. */
const MENTION = /(?<![\p{L}\p{N}_@./-])@([A-Za-z0-9_]{3,30})(?![\p{L}\p{N}_@-])/gu;

/** The usernames that a text names with `@`, in lower case, without those in `before`: at most the first `MAX_MENTIONS`. */
export function mentionedIn(text: string | null, before: string | null = null): readonly string[] {
  const known = new Set(namesIn(before));
  return [...new Set(namesIn(text))].filter((name) => !known.has(name)).slice(0, MAX_MENTIONS);
}

const namesIn = (text: string | null): readonly string[] =>
  [...(text ?? '').matchAll(MENTION)].map(([, name]) => name!.toLowerCase());
