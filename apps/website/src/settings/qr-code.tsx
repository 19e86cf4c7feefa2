import type { JSX } from 'preact';
import { encodeQR } from 'qr';

/** Modules of white around the code (ISO/IEC 18004 asks for four). */
const BORDER = 4;

/** A QR code as a picture in the page, which needs no script and no request. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const rows = encodeQR(text, 'raw', { border: BORDER });
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`0 0 ${rows.length} ${rows.length}`}>
      <path d={dark.join('')} />
    </svg>
  );
}
