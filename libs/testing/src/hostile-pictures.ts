import { crc32, deflateSync } from 'node:zlib';

/** A small SVG that keeps a renderer busy for a minute or more: a hundred passes of noise over a large canvas. */
export function svgBomb(passes = 100): Buffer {
  const pass = '<feTurbulence type="fractalNoise" baseFrequency="0.9" numOctaves="9"/>';
  const morphology = '<feMorphology operator="dilate" radius="200"/>';
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000" viewBox="0 0 2000 2000">` +
      `<filter id="f" x="0" y="0" width="1" height="1">${(pass + morphology).repeat(passes)}</filter>` +
      `<rect width="2000" height="2000" filter="url(#f)"/></svg>`,
  );
}

/** A PNG of `edge` × `edge` pixels in a few hundred kilobytes: 10,000 is the largest that is accepted. */
export function hugePng(edge = 10_000): Buffer {
  const row = Buffer.alloc(1 + edge * 3);
  for (let x = 1; x < row.length; x++) row[x] = (x * 7) & 255;
  const pixels = Buffer.alloc(row.length * edge, row);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(edge, 0);
  header.writeUInt32BE(edge, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
