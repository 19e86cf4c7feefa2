import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import multer from 'multer';
import sharp from 'sharp';

/**
 * What a small application does with a picture: express and multer store the upload, sharp makes five sizes of it with its
 * default settings, one after the other, and then the request is answered.
 */
const EDGES = [1920, 1280, 960, 640, 320, 160];

const folder = process.argv[2]!;
mkdirSync(folder, { recursive: true });

const app = express();
app.post('/', multer({ dest: folder }).single('file'), async (request, response) => {
  const { path, filename } = request.file!;
  for (const edge of EDGES)
    await sharp(path)
      .autoOrient()
      .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
      .jpeg()
      .toFile(join(folder, `${filename}_${edge}.jpg`));
  response.status(201).json({ filename });
});
const server = app.listen(0, '127.0.0.1', () => process.send!(server.address() as AddressInfo));
process.on('disconnect', () => {
  server.close();
  server.closeAllConnections();
});
