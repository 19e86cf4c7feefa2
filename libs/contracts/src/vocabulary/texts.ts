/** A character that shows something. Hangul fillers are ignorable code points; U+2800 is a pattern of Braille without dots. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text shows nothing, for example because it contains only spaces, line breaks or zero-width characters. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);

/** Tag names as they are stored: in lowercase, trimmed, without duplicates, in their order. */
export const toTagNames = (names: readonly string[]): readonly string[] => [
  ...new Set([...new Set(names)].map(toTagName)),
];

/** A tag's name as it is stored. Only for texts whose length is bounded, as it is after the rules of a request. */
export const toTagName = (name: string): string =>
  name.normalize('NFC').trim().toLowerCase().normalize('NFC');
