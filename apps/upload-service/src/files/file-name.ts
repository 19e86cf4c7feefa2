import { FILE_NAMES, SLUG_LENGTH, type VariantFileName } from '@vitrine/contracts';

/** Prefix of the paths of all files. */
export const FILES_PREFIX = '/f/';

/** The parts of a file's public name, which is the path below `/f/`. */
export interface FileName {
  readonly slug: string;
  /** Null for the original. */
  readonly variant: VariantFileName | null;
  readonly ext: string;
}

const PATTERN = new RegExp(
  `^([A-Za-z0-9]{${SLUG_LENGTH}})(?:_(${FILE_NAMES.join('|')}))?\\.([a-z0-9]{1,8})$`,
);

/** Reads `<slug>[_<size>].<ext>`; null for every other name. */
export function parseFileName(name: string): FileName | null {
  const match = PATTERN.exec(name);
  return (
    match && { slug: match[1]!, variant: (match[2] as VariantFileName | undefined) ?? null, ext: match[3]! }
  );
}
