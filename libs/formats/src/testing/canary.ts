import { asciiBytes } from '../bytes/text';

/** Planted in every place of a sample where metadata can be; scrubbing must remove every copy. */
export const CANARY = 'CANARY-48.8584N-2.2945E';
export const canary = asciiBytes(CANARY);
