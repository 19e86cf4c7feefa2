import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFfmpeg } from '@vitrine/testing';
import sharp from 'sharp';

/** A file as a visitor chooses it. */
export interface SampleFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Hills under a sky; `hue` (degrees) makes each one another picture. */
export async function landscape(name: string, hue: number, width = 900, height = 600): Promise<SampleFile> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 60" preserveAspectRatio="xMidYMid slice"
    width="${width}" height="${height}">
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${hue},60%,70%)"/>
    <stop offset="1" stop-color="hsl(${hue + 40},80%,88%)"/></linearGradient>
    <rect width="90" height="60" fill="url(#sky)"/><circle cx="${20 + (hue % 50)}" cy="18" r="6" fill="#fff6d8"/>
    <path d="M0 45 Q20 ${20 + (hue % 15)} 45 42 T90 36 V60 H0Z" fill="hsl(${hue + 90},35%,42%)"/>
    <path d="M0 52 Q30 ${34 + (hue % 9)} 60 50 T90 48 V60 H0Z" fill="hsl(${hue + 120},40%,28%)"/></svg>`;
  const buffer = await sharp(Buffer.from(svg)).jpeg({ quality: 85 }).toBuffer();
  return { name, mimeType: 'image/jpeg', buffer };
}

/** Eight by eight pixels of one colour; `index` from 0 to 63 makes each one another picture. */
export async function swatch(name: string, index: number): Promise<SampleFile> {
  const background = { r: index * 4, g: 90, b: 255 - index };
  const buffer = await sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();
  return { name, mimeType: 'image/png', buffer };
}

/** Three frames of one colour each. */
export async function animation(name: string): Promise<SampleFile> {
  const frames = await Promise.all(
    ['#b04a2a', '#2a6f97', '#3a7d44'].map((background) =>
      sharp({ create: { width: 400, height: 300, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const buffer = await sharp(frames, { join: { animated: true } })
    .gif({ delay: 200, loop: 0 })
    .toBuffer();
  return { name, mimeType: 'image/gif', buffer };
}

/** An endless animated GIF of colours that flow into each other, of which an MP4 has far fewer bytes. */
export async function waves(name: string): Promise<SampleFile> {
  const [width, height, frames] = [320, 180, 6];
  const data = Buffer.alloc(width * height * frames * 3);
  for (let at = 0; at < data.length; at++) {
    const pixel = Math.floor(at / 3);
    const [x, y] = [pixel % width, Math.floor(pixel / width) % height];
    const turn = (at % 3) + Math.floor(pixel / (width * height)) / 2;
    data[at] = 128 + 90 * Math.sin(x / 23 + turn) * Math.cos(y / 19 + turn);
  }
  const raw = { width, height: height * frames, channels: 3, pageHeight: height } as const;
  const buffer = await sharp(data, { raw, pages: -1 })
    .gif({ delay: Array<number>(frames).fill(100), loop: 0 })
    .toBuffer();
  return { name, mimeType: 'image/gif', buffer };
}

/** Two seconds of a test card, without sound. */
export function video(name: string): SampleFile {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-sample-'));
  try {
    const path = join(folder, 'clip.mp4');
    execFileSync(findFfmpeg(), [
      ...[
        '-v',
        'error',
        '-y',
        '-f',
        'lavfi',
        '-i',
        'testsrc=s=640x360:d=2:r=10',
        '-pix_fmt',
        'yuv420p',
        path,
      ],
    ]);
    return { name, mimeType: 'video/mp4', buffer: readFileSync(path) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A text file with the type of a picture. */
export const notAPicture = (name: string): SampleFile => ({
  name,
  mimeType: 'image/jpeg',
  buffer: Buffer.from('Dear diary'),
});

let hue = 0;

/** A landscape in a unique colour. */
export const photo = (name: string): Promise<SampleFile> => landscape(name, (hue += 11));
