/** A character that shows something. Hangul fillers are ignorable code points; U+2800 is a pattern of Braille without dots. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text shows nothing, for example because it contains only spaces, line breaks or zero-width characters. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);
