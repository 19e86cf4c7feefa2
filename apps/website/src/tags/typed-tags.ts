/** Splits typed tags at commas and line breaks and removes `#`. The API normalises and checks them. */
export const typedTags = (text: string): readonly string[] =>
  text
    .split(/[,，、\n]/)
    .map((tag) => tag.trim().replace(/^#+\s*/, ''))
    .filter((tag) => tag !== '');
