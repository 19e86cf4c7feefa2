/** Colour primaries and transfer characteristics (ITU-T H.273) that browsers and Vitrine read in the same way. */
const PRIMARIES: ReadonlySet<number> = new Set([1, 4, 5, 6, 7, 8, 9, 11, 12]);
const TRANSFERS: ReadonlySet<number> = new Set([1, 4, 5, 6, 8, 13, 14, 15, 16, 18]);

export const isKnownPrimaries = (code: number): boolean => PRIMARIES.has(code);
export const isKnownTransfer = (code: number): boolean => TRANSFERS.has(code);
