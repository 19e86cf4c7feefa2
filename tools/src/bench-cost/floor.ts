import sharp from 'sharp';

/**
 * The work that every picture needs: decodes it, resizes it to five sizes and encodes them, with sharp alone and the
 * worker's own settings. Answers each picture with the processor time that it took, in milliseconds.
 */
const EDGES = [1920, 1280, 640, 320, 160];
const QUALITY = 82;

sharp.cache(false);
sharp.concurrency(1);

async function fiveSizes(path: string): Promise<number> {
  const began = process.cpuUsage();
  // The largest size is decoded once; the smaller ones are made of it, as the worker does.
  const { data, info } = await resized(sharp(path, { autoOrient: true, sequentialRead: true }), EDGES[0] ?? 0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  for (const edge of EDGES) await resized(sharp(data, { raw }), edge).jpeg({ quality: QUALITY }).toBuffer();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

const resized = (picture: sharp.Sharp, edge: number): sharp.Sharp =>
  picture.resize(edge, edge, { fit: 'inside', withoutEnlargement: true });

process.on('message', (path: string) => {
  void fiveSizes(path).then((milliseconds) => process.send?.(milliseconds));
});
