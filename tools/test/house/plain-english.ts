/** A phrase that may not be used, and what to write instead. */
export interface BannedPhrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

const phrase = (pattern: RegExp, instead: string): BannedPhrase => ({
  pattern: new RegExp(pattern, 'gim'),
  instead,
});

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
  phrase(/\bthrows where\b/, 'throws if'),
  phrase(/\bwhere (?:a|the) (?:test|answer|case|caller) (?:says|has|gives|is|asks)\b/, 'if the …'),
  phrase(/\b(?:as|that) \S+ has it\b(?=[.,;:)]|$)/, 'as … describes'),
  phrase(/\bsays nothing else\b/, 'does not set it'),
  phrase(/\bin vain\b/, 'without success'),
  phrase(/\bof its own accord\b/, 'by itself'),
  phrase(/\bno such thing\b/, 'name the thing that is missing'),
  phrase(/\bout of the way\b/, 'disabled, or not reached'),
  phrase(/\bwould have it\b/, 'requires'),
  phrase(/\bone[’']s own\b/, 'your own, or name the person'),
  phrase(/\bknows nothing of\b/, 'is independent of'),
  phrase(/\bheld against\b/, 'compared with'),
  phrase(
    /\b(?:the |a )?(?:broker|bus|database|storage|Redis|engine) (?:that )?(?:is|was) away\b/,
    'unreachable',
  ),
  phrase(/\bonly (?:of|for) oneself\b/, 'only your own'),
  phrase(/\banew\b/, 'again'),
  phrase(/\blikewise\b/, 'the same, or also'),
  phrase(/\bunder way\b/, 'in progress'),
  phrase(/\bstands? in\b(?= for|[.,;])/, 'replaces, or is served instead of'),
  phrase(/\bfor want of\b/, 'because there is no'),
  phrase(/\bapart from\b/, 'except, or separate from'),
  phrase(/\btells? (?:them|the two|it) apart\b/, 'distinguishes'),
  phrase(/\b(?:works?|fails?|lasts?|ended|ends?|gone|state) for good\b/, 'permanently'),
  phrase(/\b(?:in|as) an? \w+ of (?:its|their) own\b/, 'in a separate …'),
  phrase(/\bby \S+ alone\b/, 'only by'),
  phrase(/\bcounts? alone\b/, 'counts separately'),
  phrase(/\bsomebody(?: else)?[’']s\b/, 'another user’s, or name the person'),
  phrase(/\bthe (?:release|version) before\b(?! (?:the|this|a|it)\b)/, 'the previous release'),
  phrase(/\bcosts? (?:it |them )?no (?:try|attempt)\b/, 'doesn’t count as an attempt'),
  phrase(/\bwithout losing a try\b/, 'without counting an attempt'),
  phrase(/\b(?:next|lost|fifth|second) try\b/, 'attempt'),
  phrase(/\bfor whatever reason\b/, 'regardless of the reason'),
  phrase(/\bwhatever the \w+ is\b/, 'regardless of the …'),
  phrase(/\bfirst come, first served\b/, 'in order of arrival'),
  phrase(/\b(?:page|ticket) where\b/, 'page if, or ticket if'),
  phrase(/\bin earnest\b/, 'name what is different'),
  phrase(/\b(?:of )?which none\b/, 'and no …'),
  phrase(/\bis done when\b/, 'ends when, or is complete when'),
  phrase(/\beverybody else[’']s\b/, 'those of all other users'),
  phrase(/\btake(?:s|n)?\b.{0,40}\bfor none\b/, 'treat as absent'),
  phrase(/\bgo(?:es)? and comes? back\b/, 'is interrupted'),
  phrase(/\bread(?:s|ing)? alike\b/, 'in the same way'),
  phrase(/\b(?:a|no|each|every|which) message that is no\b/, 'is not a'),
  phrase(/\b(?:the deed|deeds)\b/, 'action'),
  phrase(/\btakes? care of\b/, 'manages, or handles'),
  phrase(/\bways? in\b(?! (?:which|a|the)\b)/, 'way to log in'),
  phrase(/\b(?:may|can) come in\b/, 'may register, or may log in'),
  phrase(/\b(?:sees?|see) (?:n?or|and) reach(?:es)?\b/, 'see or contact'),
  phrase(/\b(?:for|of|after) so many\b/, 'that many, or the name of the number'),
  phrase(
    /\b(?:is|are) no (?:JPEG|PNG|SVG|GIF|video|picture|replica|provider|guest)\b(?! (?:in|of|that|yet)\b)/,
    'is not a',
  ),
  phrase(/\baddress(?:es)? (?:that )?counts?\b/, 'is verified, or takes effect'),
  phrase(/\blogs? in alone\b/, 'log in without a password'),
  phrase(/\bmade? sure who\b|\bmake sure who\b/, 'verify the identity'),
  phrase(/\bof (?:its|their) own\b(?=[.,;)]|(?: \*\/)?$)/m, 'separate, or say what'),
  phrase(/\bown allowance\b|\ballowance of its own\b/, 'are counted separately'),
  phrase(/\bwhatever happens\b/, 'regardless of, or even if'),
  phrase(/\bneeds? the operator\b/, 'the operator must …'),
  phrase(
    /\b(?:caches?|it|they|others) (?:is|are|was|were) told (?:again|to|what)\b/,
    'is purged, or is notified',
  ),
  phrase(/\btries (?:all )?failed\b|\b(?:their|its|all|five) tries\b|\bthe last try\b/, 'attempts'),
  phrase(/\blies? around\b/, 'is stored, or remains'),
  phrase(/\bin masses\b/, 'many'),
  phrase(/\bdecisions(?:\.md)? §/, 'the fact itself: that document is not in the repository'),
  phrase(/(?:\/\/|\*).*\bfacts: (?!\w+,)/, 'the fact itself: that document is not in the repository'),
  phrase(/\binterface specification\b/, 'docs/openapi.json, or "the API’s contract"'),
];

/** The uses of banned phrases in a text, as `line: phrase (write: …)`. */
export function bannedIn(text: string): readonly string[] {
  return BANNED_PHRASES.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
      line: text.slice(0, index).split('\n').length,
      message: `"${found.slice(0, 80)}" (write: ${instead})`,
    })),
  )
    .sort((one, other) => one.line - other.line)
    .map(({ line, message }) => `${line}: ${message}`);
}
