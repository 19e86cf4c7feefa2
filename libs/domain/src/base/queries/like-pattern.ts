/** The pattern of LIKE for texts that begin with a text. */
export const startingWith = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;
