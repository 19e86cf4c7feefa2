/** A phrase that may not be used, and what to write instead. */
export interface BannedPhrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

const phrase = (pattern: RegExp, instead: string): BannedPhrase => ({ pattern, instead });

/** Phrases that readers found hard to understand. Each is searched on single lines, ignoring case. */
export const BANNED_PHRASES: readonly BannedPhrase[] = [
  phrase(/\boneself\b/, 'yourself'),
  phrase(/\bwho(?:so|m)?ever\b/, 'anyone who, or name the person'),
  phrase(/\bonce more\b/, 'again'),
  phrase(/\bfor ever\b/, 'forever, without end, or how long'),
  phrase(/\bnobody\b.{0,60}\bany ?more\b/, 'say who did it before'),
  phrase(/\btakes? no other\b/, 'accepts only'),
  phrase(/\bof an unknown\b.{0,40}\bthere is\b/, 'an unknown … gives …'),
  phrase(/\bthere is nothing of\b/, 'is empty, or has no'),
  phrase(/\b(?:is|are) to be had\b/, 'is available'),
  phrase(/\bgo(?:es)? along\b/, 'is sent with'),
  phrase(/\blets? (?:it|them|him|her) be\b/, 'does not change'),
  phrase(/\bin (?:its|their|other) clothes\b/, 'disguised as, or name the format'),
  phrase(/\b(?:what|whatever) (?:be(?:comes|came)|came) of\b/, 'the result of'),
  phrase(/\bin the manner of\b/, 'like'),
  phrase(/\bdoings\b/, 'actions'),
  phrase(/\ban order of chance\b/, 'a random order'),
  phrase(
    /\ba media\b(?![ -](?:items?|types?|quer(?:y|ies)|pages?|rows?|files?|ids?|uploads?|elements?|server|processors?|programs?))/,
    'a media item',
  ),
  phrase(/\bonly (?:of|for) oneself\b/, 'only your own'),
  phrase(/\bdecisions(?:\.md)? §/, 'the fact itself: that document is not in the repository'),
  phrase(/(?:\/\/|\*).*\bfacts: (?!\w+,)/, 'the fact itself: that document is not in the repository'),
  phrase(/\binterface specification\b/, 'docs/openapi.json, or "the API’s contract"'),
];

/** The uses of banned phrases in a text, as `line: phrase (write: …)`. */
export function bannedIn(text: string): readonly string[] {
  return text.split('\n').flatMap((line, index) =>
    BANNED_PHRASES.flatMap(({ pattern, instead }) => {
      const [found] = new RegExp(pattern, 'iu').exec(line) ?? [];
      return found === undefined ? [] : [`${index + 1}: "${found.slice(0, 80)}" (write: ${instead})`];
    }),
  );
}
