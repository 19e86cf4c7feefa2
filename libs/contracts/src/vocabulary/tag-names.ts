/** Tag names as they are stored: in lowercase, trimmed, without duplicates, in their order. */
export const toTagNames = (names: readonly string[]): readonly string[] => [
  ...new Set([...new Set(names)].map(toTagName)),
];

/** A tag's name as it is stored. Only for texts whose length is bounded, as it is after the rules of a request. */
export const toTagName = (name: string): string =>
  name.normalize('NFC').trim().toLowerCase().normalize('NFC');
