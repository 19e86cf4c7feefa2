import { createHash } from 'node:crypto';

/**
 * SHA-256 of profiles that many programs write, with nothing personal in them and nothing that browsers and Little CMS read
 * differently (`colour-profiles.drill.spec.ts`).
 */
const KNOWN: ReadonlySet<string> = new Set([
  // libvips: sRGB, Display P3.
  'c56e1685d888f5edb92fe07f2750f387f8fe8e91b32ff8fb0b56bfbbb9458353',
  '231752984cd4a5278e1b8d2390fe496767d4511fc81f54e1a5c69ae9ab4c42b5',
  // Ghostscript: sRGB, and two of grey.
  'eddaf344b5edea13269e0d20055f335610e5e0b6e33e6e536f2701bc18c5f7d5',
  '0976fe7bc0f118a47c89747cb707c6f76044b48baf670dad811d0514bc2c4214',
  'd3aaaa8ad45ec8a0108fd393a07488073ee24561fd5ed2d1f88c59771278cabd',
  // The free counterpart of Adobe RGB.
  '76f4ad83ad4726d33e2291a5b3e3bf4f30b2f723c65a583b74a9365e30e097c7',
]);
/** The longest of them has 2,576 bytes. */
const MAX_BYTES = 4096;

/** Whether these are the bytes of a well-known profile, which stay with its names. */
export const isKnownProfile = (bytes: Uint8Array): boolean =>
  bytes.length <= MAX_BYTES && KNOWN.has(createHash('sha256').update(bytes).digest('hex'));
