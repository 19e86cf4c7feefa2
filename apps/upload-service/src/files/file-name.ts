import { VARIANT_NAMES, type VariantName } from '@vitrine/contracts';

/** What a path below `/f/` asks for. */
export interface FileName {
  readonly slug: string;
  /** Null for the original. */
  readonly variant: VariantName | null;
  readonly ext: string;
}

const PATTERN = new RegExp(`^([A-Za-z0-9]{7})(?:_(${VARIANT_NAMES.join('|')}))?\\.([a-z0-9]{1,8})$`);

/** Reads `<slug>[_<size>].<ext>`; null for anything else, however it is spelled. */
export function parseFileName(name: string): FileName | null {
  const match = PATTERN.exec(name);
  return match && { slug: match[1]!, variant: (match[2] as VariantName | undefined) ?? null, ext: match[3]! };
}
