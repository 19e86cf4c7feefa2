/** Tags as people type them: between commas or on lines, with or without `#`. The API folds and checks them. */
export const typedTags = (text: string): readonly string[] =>
  text
    .split(/[,，、\n]/)
    .map((tag) => tag.trim().replace(/^#+\s*/, ''))
    .filter((tag) => tag !== '');
